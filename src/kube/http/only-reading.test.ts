import { describe, expect, it } from 'vitest';
import { onlyReading } from './only-reading.ts';
import type { Transport, TransportRequest } from './transport.ts';

describe('A transport that only reads', () => {
  const sent: string[] = [];
  const answer = ({ method, path }: TransportRequest): never => {
    sent.push(`${method} ${path}`);
    throw new Error('sent');
  };
  const transport: Transport = {
    address: 'https://cluster.example.com',
    call: async (request) => answer(request),
    stream: async (request) => answer(request),
    upgrade: async (request) => answer(request),
    close: () => undefined,
  };
  const request = (method: string): TransportRequest => ({ method, path: '/api/v1/pods', safe: true, limitMs: 1 });
  const read = (): Promise<undefined> => Promise.resolve(undefined);

  it('sends what reads', async () => {
    await expect(onlyReading(transport).call(request('GET'), read)).rejects.toThrow('sent');
    await expect(onlyReading(transport).stream(request('GET'))).rejects.toThrow('sent');
    expect(sent.splice(0)).toEqual(['GET /api/v1/pods', 'GET /api/v1/pods']);
  });

  it('refuses everything else before it is sent, and names the cluster', async () => {
    const limited = onlyReading(transport);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'get', '']) {
      await expect(limited.call(request(method), read)).rejects.toThrow(/nothing is written in shadow mode.*cluster\.example\.com/);
      await expect(limited.stream(request(method))).rejects.toThrow(/nothing is written/);
    }
    await expect(limited.upgrade(request('GET'))).rejects.toThrow(/nothing is written/);
    expect(sent).toEqual([]);
  });
});
