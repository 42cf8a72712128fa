import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogger, systemTimers } from '../../base/index.ts';
import type { Timers } from '../../base/index.ts';
import { defaultSourceLimits } from '../limits.ts';
import { createManifestReader } from './manifest-reader.ts';
import type { ManifestReader } from './manifest-reader.ts';

let threads = 0;
/** How long the clock says that each piece of work takes here, however busy the machine is. */
let tookMs = 0;
let nowMs = 0;
const timers: Timers = { ...systemTimers, nowMs: () => (nowMs += tookMs) };
const count = (): void => {
  threads += 1;
};
let reader: ManifestReader;

beforeEach(() => {
  [threads, tookMs] = [0, 0];
  subscribe('worker_threads', count);
  reader = createManifestReader(defaultSourceLimits, timers, createLogger({ level: 'error', format: 'text', write: () => undefined }));
});

afterEach(async () => {
  unsubscribe('worker_threads', count);
  await reader.stop();
});

const manifest = (name: string, more = ''): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${more}`;
const namesOf = async (text: string): Promise<unknown[]> => {
  const { objects } = await reader.read([{ name: 'a.yaml', form: 'stream', bytes: Buffer.from(text) }]);
  return objects.map(({ metadata }) => metadata.name);
};

it('starts no thread for a little', async () => {
  expect(await namesOf(manifest('one'))).toEqual(['one']);
  await expect(namesOf('a: [')).rejects.toThrow('failed to unmarshal manifest: error converting YAML to JSON: yaml: line 1');
  expect(await reader.readValue({ name: '', form: 'stream', bytes: Buffer.from('a: 1') })).toEqual({ a: 1 });
  expect(threads).toBe(0);
});

it('leaves to a thread what is large', async () => {
  expect(await namesOf(manifest('large', `data: {a: ${'x'.repeat(5000)}}\n`))).toEqual(['large']);
  expect(threads).toBe(1);
  expect(await namesOf(manifest('small'))).toEqual(['small']);
  expect(threads).toBe(1);
});

it('leaves to a thread what little text can make large', async () => {
  expect(await namesOf(manifest('aliases', 'data: {a: &x y, b: *x}\n'))).toEqual(['aliases']);
  expect(threads).toBe(1);
});

it('leaves to threads what comes in crowds', async () => {
  tookMs = 30;
  for (const name of ['one', 'two', 'three']) expect(await namesOf(manifest(name))).toEqual([name]);
  expect(threads).toBe(0);
  // The fourth uses up what is left.
  for (const name of ['four', 'five']) expect(await namesOf(manifest(name))).toEqual([name]);
  expect(threads).toBe(1);
});
