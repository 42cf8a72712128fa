import { describe, expect, it } from 'vitest';
import { repositoryFields, templateFields } from './credential-fields.ts';
import { mergeUpdate } from './merge-update.ts';

const stored = { repo: 'https://git.example/shop', type: 'git', username: 'ada', password: 'planted', insecure: true };

describe('an update of some fields', () => {
  const update = (wanted: object, names: readonly string[]) =>
    mergeUpdate(repositoryFields, { stored, wanted: { repo: stored.repo, type: 'git', ...wanted }, names });

  it('keeps what it does not name, secrets too', () => {
    expect(update({ name: 'shop', username: 'eve' }, ['name'])).toEqual({ ...stored, name: 'shop' });
    expect(update({}, ['password'])).toEqual({ ...stored, password: undefined });
  });

  it.each([
    ['proxy', { proxy: 'http://elsewhere.example' }],
    ['type', { type: 'helm' }],
    ['repo', { repo: 'https://git.example/SHOP' }],
    ['insecureIgnoreHostKey', { insecureIgnoreHostKey: true }],
    ['githubAppEnterpriseBaseUrl', { githubAppEnterpriseBaseUrl: 'https://elsewhere.example' }],
  ])('RBAC-15: does not send a stored password another way: %s', (field, wanted) => {
    expect(() => update(wanted, [field])).toThrow(`${field} decides where the stored password is sent`);
    expect(update({ ...wanted, password: 'another' }, [field, 'password'])).toEqual({ ...stored, ...wanted, password: 'another' });
  });

  it('may do checks again that were left out', () => {
    expect(update({}, ['insecure'])).toEqual({ ...stored, insecure: undefined });
    expect(update({ insecure: true }, ['insecure'])).toEqual(stored);
  });

  it('refuses fields that there are not', () => {
    expect(() => update({}, ['connectionState'])).toThrow('there is no field "connectionState" to update');
    const template = { stored: {}, wanted: {}, names: ['project'] };
    expect(() => mergeUpdate(templateFields, template)).toThrow('there is no field "project" to update');
  });
});
