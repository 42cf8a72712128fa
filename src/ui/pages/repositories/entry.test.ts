import { describe, expect, it } from 'vitest';
import {
  emptyEntry,
  entryOfRepository,
  entryOfTemplate,
  findGap,
  guessWay,
  isComplete,
  listChanges,
  toAccessQuery,
  toRepository,
  withType,
} from './entry.ts';

const shown = { repo: 'https://git.example/shop', type: 'git', name: 'shop', insecure: true, depth: 3, githubAppID: 7 };

describe('a form for a repository', () => {
  it('tells the API what is filled in, and of the chosen way only', () => {
    const entry = { ...emptyEntry(false, ' https://git.example/shop '), way: 'password' as const };
    const values = { username: 'ada', password: ' secret ', sshPrivateKey: 'left over', depth: '2', insecure: false, proxy: ' http://p ' };
    expect(toRepository({ ...entry, values })).toEqual({
      repo: 'https://git.example/shop',
      type: 'git',
      username: 'ada',
      password: ' secret ',
      depth: 2,
      proxy: 'http://p',
    });
    expect(toRepository({ ...entry, way: 'azure' })).toMatchObject({ useAzureWorkloadIdentity: true });
    const helm = { ...entry, type: 'helm' as const, name: 'stable', values: { enableOCI: true } };
    expect(toAccessQuery(helm)).toEqual({ repo: 'https://git.example/shop', type: 'helm', name: 'stable', enableOci: true });
  });

  it('guesses the way from the address, and drops one that the type does not know', () => {
    expect(['git@git.example:a/b', 'ssh://git@git.example/a', 'https://git.example/a'].map(guessWay)).toEqual(['ssh', 'ssh', 'none']);
    expect(withType({ ...emptyEntry(false), way: 'ssh' }, 'helm').way).toBe('none');
  });

  it('says what is missing', () => {
    const entry = emptyEntry(false, 'https://git.example/a');
    expect(findGap(entry)).toBeUndefined();
    expect(findGap({ ...entry, url: ' ' })).toMatch(/address/);
    expect(findGap({ ...entry, type: 'helm' })).toMatch(/name/);
    expect(findGap({ ...entry, way: 'ssh' })).toMatch(/git@host/);
    expect(findGap({ ...entry, values: { depth: 'all' } })).toMatch(/depth must be a number/);
  });
});

describe('a form for what is stored', () => {
  const before = entryOfRepository(shown);

  it('changes nothing at first, and then what is touched only', () => {
    expect(listChanges(before, before)).toEqual([]);
    expect(listChanges(before, { ...before, name: 'another' })).toEqual(['name']);
    expect(listChanges(before, { ...before, values: { ...before.values, insecure: false, depth: '' } })).toEqual(['insecure', 'depth']);
    expect(listChanges(before, { ...before, values: { ...before.values, enableLfs: false } })).toEqual([]);
  });

  it('keeps secrets that are left empty, and clears those of other ways', () => {
    const changes = listChanges(before, { ...before, way: 'password', values: { ...before.values, username: 'ada', password: '' } });
    expect(changes).toContain('username');
    expect(changes).not.toContain('password');
    expect(changes).toEqual(expect.arrayContaining(['sshPrivateKey', 'githubAppPrivateKey', 'githubAppID', 'bearerToken']));
    expect(isComplete({ ...before, way: 'password', values: { password: '' } })).toBe(false);
  });

  it('can switch off what is not shown', () => {
    const template = entryOfTemplate({ url: 'https://git.example', username: 'ada' });
    expect(listChanges(template, { ...template, values: { ...template.values, forceHttpBasicAuth: false } })).toEqual([
      'forceHttpBasicAuth',
    ]);
  });
});
