import { describe, expect, it } from 'vitest';
import { nameChangesMeanwhile } from './name-changes-meanwhile.ts';

const object = (replicas: number, version: string, more: object = {}): string =>
  JSON.stringify({
    kind: 'Deployment',
    metadata: { name: 'web', resourceVersion: version, generation: Number(version) },
    spec: { replicas },
    ...more,
  });

describe('what became of an object while somebody edits it', () => {
  it('is what others wrote', () => {
    expect(nameChangesMeanwhile(object(1, '1'), object(5, '2'))).toBe('spec.replicas');
  });

  it('is not what the cluster writes down by itself', () => {
    expect(nameChangesMeanwhile(object(1, '1'), object(1, '2', { status: { readyReplicas: 1 } }))).toBe('');
  });
});
