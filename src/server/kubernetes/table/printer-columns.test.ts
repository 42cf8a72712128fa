import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../objects/index.ts';
import { printerColumns } from './printer-columns.ts';

const NOW_MS = Date.parse('2026-01-02T03:04:05Z');

const object: JsonObject = {
  metadata: { name: 'one', creationTimestamp: '2026-01-02T03:03:05Z', annotations: { 'example.com/team': 'blue' } },
  spec: {
    size: 2,
    ratio: 0.5,
    isOn: true,
    ports: [
      { name: 'http', port: 80 },
      { name: 'https', port: 443 },
    ],
    list: ['a', 'b'],
    none: null,
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'False', reason: 'NotYet' },
      { type: 'Synced', status: 'True', detail: { code: 'x' } },
    ],
  },
};

const definition = (...columns: readonly JsonObject[]): JsonObject => ({
  spec: { versions: [{ name: 'v0' }, { name: 'v1', additionalPrinterColumns: columns }] },
});

function cell(jsonPath: string, type = 'string'): JsonValue | undefined {
  return printerColumns(definition({ name: 'Cell', type, jsonPath }), 'v1')[1]?.value(object, NOW_MS);
}

describe('the columns of a custom kind', () => {
  it.each([
    ['.spec.size', 'integer', 2],
    ['$.spec.size', 'integer', 2],
    ['.spec.ratio', 'number', 0.5],
    ['.spec.isOn', 'boolean', true],
    ['.spec.size', 'string', '2'],
    ['.spec.ports[1].name', 'string', 'https'],
    ['.spec.ports[*].name', 'string', 'http'],
    ['.spec.ports[0]', 'string', '{"name":"http","port":80}'],
    ['.spec.list[1]', 'string', 'b'],
    ['.metadata.annotations.example\\.com/team', 'string', 'blue'],
    [".metadata.annotations['example.com/team']", 'string', 'blue'],
    ['.metadata.annotations["example.com/team"]', 'string', 'blue'],
    ['.status.conditions[?(@.type=="Ready")].status', 'string', 'False'],
    [".status.conditions[?(@.type == 'Synced')].status", 'string', 'True'],
    ['.status.conditions[?(@.detail.code=="x")].type', 'string', 'Synced'],
    ['.metadata.creationTimestamp', 'date', '60s'],
  ])('show %s as %s', (path, type, expected) => {
    expect(cell(path, type)).toBe(expected);
  });

  it.each([
    ['.spec.nothing', 'string'],
    ['.spec.none', 'string'],
    ['.spec.list[9]', 'string'],
    ['.spec.size.deeper', 'string'],
    ['.status.conditions[?(@.type=="None")].status', 'string'],
    ['.spec.ratio', 'integer'],
    ['.spec.list', 'number'],
    ['.spec.size', 'boolean'],
    ['.spec.__proto__.constructor', 'string'],
    ['spec[', 'string'],
    ['.spec.ports[?(@.port>80)].name', 'string'],
  ])('leave %s as %s empty', (path, type) => {
    expect(cell(path, type)).toBeUndefined();
  });

  it('are the name and what the version says, with everything that people are shown of a column', () => {
    const shown = printerColumns(
      definition({ name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1, description: 'How many.', format: 'int32' }),
      'v1',
    );
    expect(shown.map(({ name }) => name)).toEqual(['Name', 'Size']);
    expect(shown[1]).toMatchObject({ type: 'integer', priority: 1, description: 'How many.', format: 'int32' });
    expect(shown[0]?.value(object, NOW_MS)).toBe('one');
  });

  it('are name and age where a version says nothing', () => {
    for (const version of ['v0', 'v2']) expect(printerColumns(definition(), version).map(({ name }) => name)).toEqual(['Name', 'Age']);
  });
});
