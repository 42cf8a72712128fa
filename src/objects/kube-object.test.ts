import { describe, expect, it } from 'vitest';
import { controllerOf, formatApiVersion, formatMicroTime, formatTime, parseApiVersion, parseTime } from './kube-object.ts';

describe('objects', () => {
  it('have a group and a version', () => {
    expect(parseApiVersion('v1')).toEqual({ group: '', version: 'v1' });
    expect(parseApiVersion('apps/v1')).toEqual({ group: 'apps', version: 'v1' });
    expect(parseApiVersion('a/b/c')).toBeUndefined();
    expect(['v1', 'apps/v1'].map((text) => formatApiVersion(parseApiVersion(text) ?? { group: '', version: '' }))).toEqual([
      'v1',
      'apps/v1',
    ]);
  });

  it('have at most one controller among their owners', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'u' };
    expect(controllerOf({ ownerReferences: [owner, { ...owner, name: 's', controller: true }] })?.name).toBe('s');
    expect(controllerOf({ ownerReferences: [owner] })).toBeUndefined();
    expect(controllerOf({})).toBeUndefined();
  });

  it('carry times in seconds or microseconds', () => {
    const moment = Date.UTC(2024, 1, 29, 12, 30, 15, 123);
    expect(formatTime(moment)).toBe('2024-02-29T12:30:15Z');
    expect(formatMicroTime(moment)).toBe('2024-02-29T12:30:15.123000Z');
    expect(parseTime(formatMicroTime(moment))).toBe(moment);
    expect(parseTime('2024-02-29T13:30:15+01:00')).toBe(moment - 123);
    expect(parseTime('yesterday')).toBeUndefined();
    expect(parseTime('2024-13-40T00:00:00Z')).toBeUndefined();
  });
});
