import { describe, expect, it } from 'vitest';
import { methods } from '../../src/contract/index.ts';
import { CLIENT_COMMANDS } from './contract/client-commands.ts';
import { EFFECTS } from './contract/effects.ts';
import { EXPECTED_ANSWERS, REFUSING } from './contract/expected-answers.ts';
import { CONTRACT_REQUESTS } from './contract/requests.ts';
import { PROMISED_METHODS, PROMISED_ROUTES } from './promised-api.ts';

const all = methods.map(({ path }) => path.slice(1)).toSorted();

describe('the table of the conformance suite', () => {
  it.each(Object.entries({ CONTRACT_REQUESTS, EXPECTED_ANSWERS, CLIENT_COMMANDS }))(
    '%s has every method of the contract',
    (_name, table) => {
      expect(Object.keys(table).toSorted()).toEqual(all);
    },
  );

  it('has every method that the API document names', () => {
    const promised = Object.entries(PROMISED_METHODS).flatMap(([service, names]) => names.split(' ').map((name) => `${service}/${name}`));
    expect(promised.filter((method) => !all.includes(method))).toEqual([]);
  });

  it('has every route that the API document names, since the suite asks each route of the contract', () => {
    const routes = new Set(methods.flatMap(({ http }) => http.map(({ verb, path }) => `${verb} ${path.replaceAll('=**}', '}')}`)));
    expect(PROMISED_ROUTES.filter(([route]) => !routes.has(route))).toEqual([]);
  });

  it('knows of each method that changes something how that shows', () => {
    const changing = all.filter((method) => CONTRACT_REQUESTS[method]?.changes !== undefined);
    expect(changing.filter((method) => EFFECTS[method] === undefined)).toEqual([]);
    expect(Object.keys(EFFECTS).filter((method) => !all.includes(method))).toEqual([]);
  });

  it('lets only methods refuse that have nothing to do what they do to', () => {
    expect([...REFUSING].filter((method) => !all.includes(method))).toEqual([]);
    expect(REFUSING.size).toBe(2);
  });
});
