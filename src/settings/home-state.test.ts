import { describe, expect, it } from 'vitest';
import { configMap, secret } from '../../test/support/embedded-home.ts';
import type { KubeObject } from '../objects/index.ts';
import { HomeState } from './home-state.ts';

const at = (object: KubeObject, resourceVersion: string, uid = 'u'): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion, uid },
});
const general = (url: string) => configMap('argocd-cm', { url });

describe('what is known of the home', () => {
  it('does not go back behind what we wrote ourselves, until the watch has shown it', () => {
    const state = new HomeState();
    expect(state.see(at(general('a'), '5'))).toBe(true);
    expect(state.wrote(at(general('b'), '8'))).toBe(true);
    expect(state.see(at(general('x'), '7'))).toBe(false);
    expect(state.see(at(general('b'), '8'))).toBe(false);
    expect(state.see(at(general('c'), '9'))).toBe(true);
    expect(state.configMap('argocd-cm')?.['data']).toEqual({ url: 'c' });
  });

  it('does not take our own writing back when the watch is already further', () => {
    const state = new HomeState();
    state.see(at(general('newer'), '10'));
    expect(state.wrote(at(general('older'), '9'))).toBe(false);
    expect(state.configMap('argocd-cm')?.['data']).toEqual({ url: 'newer' });
  });

  it('follows an API that was set back to an earlier state', () => {
    const state = new HomeState();
    state.see(at(general('a'), '50'));
    expect(state.see(at(general('restored'), '20'))).toBe(true);
    state.wrote(at(general('b'), '30'));
    state.listed();
    expect(state.see(at(general('restored'), '20'))).toBe(true);
  });

  it('forgets what is deleted, but not what was made anew', () => {
    const state = new HomeState();
    state.see(at(general('a'), '5', 'first'));
    state.see(at(general('b'), '7', 'second'));
    expect(state.remove(at(general('a'), '6', 'first'))).toBe(false);
    expect(state.remove(at(general('b'), '8', 'second'))).toBe(true);
    expect(state.configMap('argocd-cm')).toBeUndefined();
  });

  it('does not bring back with a late answer what somebody has deleted', () => {
    const state = new HomeState();
    state.see(at(general('a'), '5', 'first'));
    state.remove(at(general('a'), '6', 'first'));
    expect(state.wrote(at(general('a'), '5', 'first'))).toBe(false);
    expect(state.wrote(at(general('b'), '7', 'second'))).toBe(true);
  });

  it('does not bring back with late news what we deleted ourselves, until the watch has shown that too', () => {
    const state = new HomeState();
    state.see(at(general('a'), '5', 'first'));
    expect(state.deleted(at(general('a'), '6', 'first'))).toBe(true);
    expect(state.see(at(general('a'), '6', 'first'))).toBe(false);
    expect(state.configMap('argocd-cm')).toBeUndefined();
    expect(state.wrote(at(general('b'), '8', 'second'))).toBe(true);
    expect(state.remove(at(general('a'), '7', 'first'))).toBe(false);
    expect(state.configMap('argocd-cm')?.['data']).toEqual({ url: 'b' });
    // A home that was set back has again what was deleted.
    state.listed();
    expect(state.see(at(general('a'), '5', 'first'))).toBe(true);
  });

  it('keeps only what settings are made from', () => {
    const state = new HomeState();
    expect(state.see(at(configMap('kube-root-ca.crt', {}), '1'))).toBe(false);
    expect(state.see(at(secret('tls', {}), '2'))).toBe(false);
    expect(state.see(at(secret('sso', {}, { 'app.kubernetes.io/part-of': 'argocd' }), '3'))).toBe(true);
    expect([...state.secrets()]).toHaveLength(1);
  });
});
