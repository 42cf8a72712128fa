import { describe, expect, it } from 'vitest';
import { messageCodec, type JsonObject } from '../../../contract/index.ts';
import type { Application } from '../../../model/index.ts';
import type { KubeObject } from '../../../objects/index.ts';
import { findEncoded } from '../../encoded.ts';
import { encodedEvent, readStored, withEncodedItems } from './encoded-applications.ts';

function stored(name: string, more: object = {}): KubeObject {
  const spec = {
    project: 'default',
    source: { repoURL: 'https://git.example/one', path: 'ä "quoted" \u2028' },
    destination: { name: 'far' },
  };
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name, resourceVersion: '7' }, spec, ...more };
}

/** Longer than one byte of a length can say, and than two. */
const conditions = Array.from({ length: 300 }, (_, index) => ({ type: 'SyncError', message: `something went wrong ${index} `.repeat(5) }));
const applications = [
  stored('small'),
  stored('middle', { status: { conditions: conditions.slice(0, 2) } }),
  stored('large', { status: { conditions } }),
].map(readStored);

const expectSame = (message: string, value: object): void => {
  const codec = messageCodec(message);
  const { json, jsonBytes, protobuf } = findEncoded(value) ?? {};
  expect(json ?? Buffer.from(jsonBytes ?? []).toString()).toBe(JSON.stringify(codec.toJson(value as JsonObject)));
  expect(Buffer.from(protobuf ?? []).toString('hex')).toBe(Buffer.from(codec.encode(value as JsonObject)).toString('hex'));
};

describe('What is encoded once', () => {
  it('is a list as the codec writes it', () => {
    expectSame('argoproj.v1alpha1.ApplicationList', withEncodedItems({ metadata: { resourceVersion: '12' }, items: applications }));
  });

  it('is a list of others where others are in it, though it begins alike', () => {
    const metadata = { resourceVersion: '12' };
    for (const items of [
      applications,
      applications.slice(0, 2),
      applications.toReversed().toReversed(),
      [applications[0]!, applications[2]!],
    ]) {
      expectSame('argoproj.v1alpha1.ApplicationList', withEncodedItems({ metadata, items }));
      expectSame('argoproj.v1alpha1.ApplicationList', withEncodedItems({ metadata: { resourceVersion: '13' }, items }));
    }
  });

  it('is the same list for all who ask, while nothing changes', () => {
    const list = (): Uint8Array | undefined =>
      findEncoded(withEncodedItems({ metadata: { resourceVersion: '12' }, items: [...applications] }))?.jsonBytes;
    expect(list()).toBe(list());
  });

  it('is an event as the codec writes it', () => {
    for (const application of applications) expectSame('argoproj.v1alpha1.ApplicationWatchEvent', encodedEvent('MODIFIED', application));
  });

  it('leaves an empty list to the codec', () => {
    expect(findEncoded(withEncodedItems({ metadata: { resourceVersion: '12' }, items: [] }))).toBeUndefined();
  });

  it('is not what another version was', () => {
    const list = (application: Application): string =>
      Buffer.from(findEncoded(withEncodedItems({ metadata: {}, items: [application] }))?.jsonBytes ?? []).toString();
    const before = stored('web');
    const after = { ...before, metadata: { ...before.metadata, resourceVersion: '8' } };
    expect(readStored(before)).toBe(readStored(before));
    expect(list(readStored(before))).toContain('"resourceVersion":"7"');
    expect(list(readStored(after))).toContain('"resourceVersion":"8"');
  });
});
