import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '../../base/index.ts';
import { openSecureContext } from './secure-context.ts';
import { createServerCertificate } from './server-certificate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('says once that there is no certificate any more, keeps the one in use, and takes the next', async () => {
  const logged: string[] = [];
  const log = createLogger({ level: 'debug', format: 'json', write: (line) => void logged.push(line) });
  const make = () => createServerCertificate('127.0.0.1', new Date());
  let found: ReturnType<typeof make> | undefined = make();
  const read = () => {
    if (found === undefined) throw new Error('the Secret has no tls.crt');
    return found;
  };
  const holder = await openSecureContext({ kind: 'provided', read }, log);
  const first = holder.current;
  const failures = () => logged.filter((line) => line.includes('could not be reloaded')).length;

  found = undefined;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([failures(), holder.current === first]).toEqual([1, true]);

  found = make();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(holder.current).not.toBe(first);

  found = undefined;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(failures()).toBe(2);
  holder.stop();
});

it('says once a day that the certificate in use ends soon, and that it has ended', async () => {
  const dayMs = 86_400_000;
  const logged: string[] = [];
  const log = createLogger({ level: 'debug', format: 'json', write: (line) => void logged.push(line) });
  // It is good for a year.
  let found = createServerCertificate('127.0.0.1', new Date(Date.now() - 363 * dayMs));
  const holder = await openSecureContext({ kind: 'provided', read: () => found }, log);
  const count = (text: string) => logged.filter((line) => line.includes(text)).length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([count('expires soon'), count('has expired')]).toEqual([1, 0]);
  vi.setSystemTime(Date.now() + 3 * dayMs);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([count('expires soon'), count('has expired')]).toEqual([1, 1]);
  found = createServerCertificate('127.0.0.1', new Date());
  await vi.advanceTimersByTimeAsync(4_000);
  vi.setSystemTime(Date.now() + 3 * dayMs);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([count('expires soon'), count('has expired')]).toEqual([1, 1]);
  holder.stop();
});
