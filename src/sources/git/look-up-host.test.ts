import { expect, it } from 'vitest';
import { createHostLookup } from './look-up-host.ts';

it('a host is looked up once for all who ask at the same time, and anew afterwards', async () => {
  const asked: string[] = [];
  const lookUp = createHostLookup(async (host) => {
    asked.push(host);
    await Promise.resolve();
    return [{ address: '192.0.2.1' }];
  });
  const found = await Promise.all([lookUp('a.example'), lookUp('a.example'), lookUp('b.example')]);
  expect(found).toEqual([['192.0.2.1'], ['192.0.2.1'], ['192.0.2.1']]);
  expect(asked).toEqual(['a.example', 'b.example']);
  await lookUp('a.example');
  expect(asked).toHaveLength(3);
});

it.each([
  ['ENOTFOUND', 'dial tcp: lookup a.example: no such host'],
  ['EAI_AGAIN', 'dial tcp: lookup a.example: no such host, or no name server that answers'],
])('that a lookup ends with %s is told as what it is', async (code, message) => {
  const lookUp = createHostLookup(() => Promise.reject(Object.assign(new Error('x'), { code })));
  await expect(lookUp('a.example')).rejects.toThrow(message);
});
