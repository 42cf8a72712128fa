import { expect, it } from 'vitest';
import { Patience, PatienceByNamespace } from './patience.ts';

it('JQ-01, JQ-04: a rule that goes too far three times in a row is tried once in a hundred times, until it does not', () => {
  const patience = new Patience();
  let tries = 0;
  const call = (goesTooFar: boolean): void => {
    if (!patience.mayTry()) return;
    tries += 1;
    patience.note(goesTooFar);
  };
  for (let round = 0; round < 203; round += 1) call(true);
  expect(tries).toBe(5);
  for (let round = 0; round < 100; round += 1) call(false);
  for (let round = 0; round < 10; round += 1) call(false);
  expect(tries).toBe(16);
  call(true);
  call(false);
  call(true);
  expect(patience.mayTry()).toBe(true);
});

it('JQ-01, JQ-04: a rule that goes too far in one namespace is followed in others, and one that does so in all is not tried in all', () => {
  const triesOf = (goesTooFar: (namespace: string) => boolean): number => {
    const patience = new PatienceByNamespace();
    let tries = 0;
    for (let round = 0; round < 5; round += 1)
      for (let at = 0; at < 500; at += 1) {
        const here = patience.in(`n${at}`);
        if (!here.mayTry()) continue;
        tries += 1;
        here.note(goesTooFar(`n${at}`));
      }
    return tries;
  };
  expect(triesOf((namespace) => namespace === 'n7')).toBe(5 * 499 + 3);
  expect(triesOf(() => true)).toBeLessThan(60);
  // As soon as it works for somebody it is theirs again.
  expect(triesOf((namespace) => Number(namespace.slice(1)) < 250)).toBeGreaterThan(4 * 250);
});

it('JQ-01, JQ-04: a rule that goes too far in many namespaces that one project names is followed for other projects', () => {
  const patience = new PatienceByNamespace();
  for (let round = 0; round < 3; round += 1)
    for (let at = 0; at < 50; at += 1) {
      const theirs = patience.in(`n${at}`, 'theirs');
      if (theirs.mayTry()) theirs.note(true);
    }
  expect(patience.in('n1', 'theirs').mayTry()).toBe(false);
  expect(patience.in('n1', 'ours').mayTry()).toBe(true);
  expect(patience.in('n1').mayTry()).toBe(true);
});

it('JQ-01, JQ-04: many objects of one namespace do not count as many namespaces', () => {
  const patience = new PatienceByNamespace();
  const busy = patience.in('busy');
  for (let at = 0; at < 5_000; at += 1) if (busy.mayTry()) busy.note(true);
  expect(patience.in('other').mayTry()).toBe(true);
});
