import { expect, it } from 'vitest';
import { flattenValues } from './flatten-values.ts';

it('writes values as the parameters that would set them', () => {
  const values = {
    image: { tag: 'v1', 'dotted.key': true },
    hosts: [{ name: 'a', paths: ['/', '/x'] }, 'b'],
    none: null,
    empty: {},
    list: [],
    numbers: [1, 0.5, 0, 999999, 1000000, 123456789, 0.0001, 0.00001, -2],
  };
  expect([...flattenValues(values)].map(([name, value]) => `${name}=${value}`)).toEqual([
    'image.tag=v1',
    'image.dotted.key=true',
    'hosts[0].name=a',
    'hosts[0].paths[0]=/',
    'hosts[0].paths[1]=/x',
    'hosts[1]=b',
    'none=<nil>',
    ...['1', '0.5', '0', '999999', '1e+06', '1.23456789e+08', '0.0001', '1e-05', '-2'].map((text, index) => `numbers[${index}]=${text}`),
  ]);
  expect(flattenValues(null).size).toBe(0);
});
