import { describe, expect, it } from 'vitest';
import {
  azurePush,
  bitbucketCloudPush,
  bitbucketServerPush,
  githubPackage,
  githubPush,
  gitlabPush,
  type SentWebhook,
} from '../../../test/support/webhook-payloads.ts';
import type { WebhookSecrets } from '../../settings/index.ts';
import { findWebhookProvider, readWebhook } from './read-webhook.ts';
import type { PushEvent, WebhookEvent } from './webhook-event.ts';

const secrets: WebhookSecrets = {
  github: undefined,
  gitlab: undefined,
  bitbucketUuid: undefined,
  bitbucketServer: undefined,
  gogs: undefined,
  azureUsername: undefined,
  azurePassword: undefined,
};
const url = 'https://git.example.com/acme/shop';

function read({ headers, payload }: SentWebhook, change: object = {}): readonly WebhookEvent[] {
  const body = Buffer.from(JSON.stringify({ ...(payload as object), ...change }));
  return readWebhook(findWebhookProvider(headers), { headers, body }, { secrets, megabytesMax: 1 });
}

const readOne = (hook: SentWebhook, change: object = {}): PushEvent => read(hook, change)[0] as PushEvent;
const commit = (files: object) => ({ added: [], modified: [], removed: [], ...files });

describe('The files that a push changed', () => {
  it.each([githubPush({ url }), gitlabPush({ url })])('are those of all its commits', (hook) => {
    const commits = [commit({ added: ['a'], removed: ['b'] }), commit({ modified: ['a', 'c/d'] })];
    expect([...(readOne(hook, { commits, total_commits_count: 2 }).changedFiles ?? [])].toSorted()).toEqual(['a', 'b', 'c/d']);
  });

  it('are not known where the push was forced, has more commits than are told, or none', () => {
    const commits = [commit({ added: ['a'] })];
    expect(readOne(githubPush({ url }), { commits, forced: true }).changedFiles).toBeUndefined();
    expect(readOne(githubPush({ url }), { commits: Array.from({ length: 2_048 }, () => commits[0]) }).changedFiles).toBeUndefined();
    expect(readOne(gitlabPush({ url }), { commits, total_commits_count: 21 }).changedFiles).toBeUndefined();
    expect(readOne(githubPush({ url }), { commits, total_commits: 2 }).changedFiles).toBeUndefined();
    expect(readOne(githubPush({ url }), { commits: [] }).changedFiles).toBeUndefined();
    const many = Array.from({ length: 10_001 }, (_, index) => `file-${index}`);
    expect(readOne(githubPush({ url }), { commits: [commit({ added: many })] }).changedFiles).toBeUndefined();
  });

  it.each([bitbucketCloudPush({ url }), bitbucketServerPush({ url }), azurePush({ url })])('are not told by others', (hook) => {
    expect(readOne(hook).changedFiles).toBeUndefined();
  });
});

describe('A push', () => {
  it.each([
    [githubPush({ url, branch: 'main' }), true],
    [githubPush({ url, branch: 'other' }), false],
    [gitlabPush({ url, branch: 'main', defaultBranch: 'trunk' }), false],
    [azurePush({ url, branch: 'main' }), true],
    [azurePush({ url, branch: 'other' }), false],
    [bitbucketCloudPush({ url, branch: 'other' }), true],
    [bitbucketServerPush({ url, branch: 'other' }), true],
  ])('says whether it is of the default branch, or is taken for one', (hook, touchesHead) => {
    expect(readOne(hook).touchesHead).toBe(touchesHead);
  });

  it('at Bitbucket Cloud is of the default branch where that is told, and never where it is of a tag', () => {
    const hook = bitbucketCloudPush({ url, branch: 'other' });
    const told = (name: string) => ({ repository: { links: { html: { href: url } }, mainbranch: { name } } });
    expect([readOne(hook, told('main')).touchesHead, readOne(hook, told('other')).touchesHead]).toEqual([false, true]);
    const tag = (change: object) => readOne(hook, { push: { changes: [change] } });
    expect(tag({ new: { type: 'tag', name: 'v1' }, old: null })).toMatchObject({ revision: 'v1', touchesHead: false });
    expect(tag({ new: null, old: { type: 'tag', name: 'v1' } })).toMatchObject({ revision: 'v1', touchesHead: false });
  });

  it('of a tag or of a branch with slashes is named by all of it', () => {
    expect(readOne(githubPush({ url }), { ref: 'refs/tags/v1.2.3' }).revision).toBe('v1.2.3');
    expect(readOne(githubPush({ url, branch: 'feature/one' })).revision).toBe('feature/one');
  });

  it('may move several branches at once, or take one away', () => {
    const change = (name: string) => ({ new: { name }, old: { name } });
    const push = { changes: [change('one'), change('two'), { new: null, old: { name: 'three' } }, { new: null, old: null }] };
    expect(read(bitbucketCloudPush({ url }), { push }).map((event) => (event as PushEvent).revision)).toEqual(['one', 'two', 'three']);
  });

  it('to Bitbucket Server names every way to clone the repository', () => {
    expect(readOne(bitbucketServerPush({ url })).repositories).toEqual(['ssh://git@git.example.com/acme/shop.git', `${url}.git`]);
  });
});

describe('A package', () => {
  it('counts when it is a container that was published with a tag', () => {
    expect(read(githubPackage('acme', 'shop', '1.0.0'))).toEqual([
      { type: 'package', repository: 'oci://ghcr.io/acme/shop', tag: '1.0.0' },
    ]);
    expect(read(githubPackage('acme', 'shop', ''))).toEqual([]);
    expect(read(githubPackage('acme', 'shop', '1.0.0'), { action: 'updated' })).toEqual([]);
    expect(read(githubPackage('acme', 'shop', '1.0.0'), { package: { package_type: 'npm' } })).toEqual([]);
  });
});
