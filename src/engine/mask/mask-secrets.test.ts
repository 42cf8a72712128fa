import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { maskSecret, maskSecrets } from './mask-secrets.ts';

const record = 'kubectl.kubernetes.io/last-applied-configuration';

function secret(data: JsonObject, annotations: Record<string, string> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one', annotations }, data };
}

describe('Values of Secrets', () => {
  it('are the same mask where they are equal, and another where they are not', () => {
    const { target, live } = maskSecrets({ target: secret({ pw: 'QQ==', same: 'QQ==' }), live: secret({ pw: 'Qg==', same: 'QQ==' }) });
    expect(target?.['data']).toEqual({ pw: '++++++++', same: '++++++++' });
    expect(live?.['data']).toEqual({ pw: '++++++++++++', same: '++++++++' });
  });

  it('are masked in what was applied last, and in text that was never encoded', () => {
    const applied = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' }, stringData: { pw: 'A' } });
    const masked = maskSecret(secret({ pw: 'QQ==' }, { [record]: applied, safe: 'x' }));
    const text = JSON.stringify(masked);
    expect(text).not.toContain('QQ==');
    expect(text).not.toContain('\\"A\\"');
    expect(JSON.parse(masked.metadata.annotations?.[record] ?? '')).toMatchObject({ data: { pw: '++++++++' } });
    expect(masked.metadata.annotations?.['safe']).toBe('x');
  });

  it('are hidden whole where the record cannot be read, and in annotations that are named', () => {
    const masked = maskSecret(secret({}, { [record]: 'not { json', token: 'secret' }), ['token']);
    expect(masked.metadata.annotations).toEqual({ [record]: '++++++++', token: '++++++++' });
  });

  it('of other kinds stay as they are', () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data: { a: 'b' } };
    expect(maskSecret(map)).toBe(map);
  });

  it('are hidden where somebody put them in the wrong place', () => {
    const slip: KubeObject = { ...secret({}), data: 'cGFzc3dvcmQ=', stringdata: { pw: 'A' }, type: 'Opaque' };
    expect(maskSecret(slip)).toEqual({ ...secret({}), data: '++++++++', stringdata: '++++++++', type: 'Opaque' });
  });

  it('may be named __proto__', () => {
    const data = JSON.parse('{"__proto__":"QQ=="}') as JsonObject;
    expect(JSON.stringify(maskSecret(secret(data))['data'])).toBe('{"__proto__":"++++++++"}');
  });
});
