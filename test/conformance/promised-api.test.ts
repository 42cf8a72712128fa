import { describe, expect, it } from 'vitest';
import { messages, methods } from '../../src/contract/gen/schema.ts';
import type { MethodSchema } from '../../src/contract/schema.ts';
import { PROMISED_FIELDS, PROMISED_METHODS, PROMISED_ROUTES } from './promised-api.ts';

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');

describe('the API document', () => {
  it.each(PROMISED_ROUTES)('%s is there with its parameters', (route, parameters) => {
    const method = methods.find((each) => routesOf(each).includes(route));
    expect(method, 'no method has this route').toBeDefined();
    expect(words(parameters).filter((parameter) => !inputNames(method?.input ?? '').has(parameter))).toEqual([]);
  });

  it.each(Object.entries(PROMISED_FIELDS))('%s has the promised fields', (message, fields) => {
    expect(words(fields).filter((field) => !inputNames(message).has(field))).toEqual([]);
  });

  it.each(Object.entries(PROMISED_METHODS))('%s has the promised methods', (service, names) => {
    const actual = new Set(methods.filter((method) => method.service === service).map((method) => method.name));
    expect(words(names).filter((name) => !actual.has(name))).toEqual([]);
  });

  it('has one route for each of its table rows', () => {
    expect(new Set(PROMISED_ROUTES.map(([route]) => route)).size).toBe(PROMISED_ROUTES.length);
    expect(PROMISED_ROUTES).toHaveLength(79);
  });
});

function routesOf(method: MethodSchema): string[] {
  return method.http.map((binding) => `${binding.verb} ${binding.path.replaceAll('=**}', '}')}`);
}

/** Every name under which a field of the message is accepted. */
function inputNames(message: string): Set<string> {
  const fields = messages.find((each) => each.name === message)?.fields ?? [];
  return new Set(fields.flatMap((field) => [field.name, ...field.aliases]));
}
