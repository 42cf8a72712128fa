import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFairway } from '../support/fairway.ts';
import type { Fairway } from '../support/fairway.ts';

/** Set to rewrite the files from what the server answers now. Read the difference before committing it. */
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';
const FOLDER = join(import.meta.dirname, 'rest-golden');
const LIMIT_MS = 10_000;

interface Question {
  readonly verb?: string;
  readonly path: string;
  readonly signedIn?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const json = { 'content-type': 'application/json' };

/** By the name of the file with the answer. */
const QUESTIONS: Readonly<Record<string, Question>> = {
  'version-signed-out': { path: '/api/version' },
  'version-signed-in': { path: '/api/version', signedIn: true },
  'settings-signed-out': { path: '/api/v1/settings' },
  'settings-signed-in': { path: '/api/v1/settings', signedIn: true },
  'settings-plugins-signed-out': { path: '/api/v1/settings/plugins' },
  'session-create': { verb: 'POST', path: '/api/v1/session', headers: json, body: '{"username":"admin","password":"test-admin-password"}' },
  'session-create-wrong-password': { verb: 'POST', path: '/api/v1/session', headers: json, body: '{"username":"admin","password":"x"}' },
  'session-create-without-credentials': { verb: 'POST', path: '/api/v1/session', headers: json, body: '{}' },
  'session-delete': { verb: 'DELETE', path: '/api/v1/session', headers: json },
  'userinfo-signed-out': { path: '/api/v1/session/userinfo' },
  'userinfo-signed-in': { path: '/api/v1/session/userinfo', signedIn: true },
  'account-list': { path: '/api/v1/account', signedIn: true },
  'account-list-signed-out': { path: '/api/v1/account' },
  'account-get': { path: '/api/v1/account/admin', signedIn: true },
  'account-get-unknown': { path: '/api/v1/account/nobody', signedIn: true },
  'account-can-i': { path: '/api/v1/account/can-i/applications/sync/default/guestbook', signedIn: true },
  'account-can-i-unknown-resource': { path: '/api/v1/account/can-i/planets/sync/x', signedIn: true },
  'unknown-route': { path: '/api/v1/planets' },
  'unknown-page': { path: '/planets' },
  'wrong-verb': { verb: 'PUT', path: '/api/version', headers: json, body: '{}' },
  'wrong-content-type': {
    verb: 'POST',
    path: '/api/v1/session',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'username=admin',
  },
  'malformed-json': { verb: 'POST', path: '/api/v1/session', headers: json, body: '{"username":"admin",\n"password"' },
  'wrong-type-in-json': { verb: 'POST', path: '/api/v1/session', headers: json, body: '{"username":{"first":"admin"}}' },
  'notification-services': { path: '/api/v1/notifications/services', signedIn: true },
  'stream-error': { path: '/api/v1/stream/applications?selector=a%3D%3D%3D', signedIn: true },
  'stream-error-as-events': {
    path: '/api/v1/stream/applications?selector=a%3D%3D%3D',
    signedIn: true,
    headers: { accept: 'text/event-stream' },
  },
  'stream-error-signed-out': { path: '/api/v1/stream/applications' },
  health: { path: '/healthz' },
};

describe('REST answers are those of the golden files', () => {
  let fairway: Fairway;
  let token: string;

  beforeAll(async () => {
    fairway = await startFairway();
    const credentials = JSON.stringify({ username: 'admin', password: fairway.adminPassword });
    const session = await fetch(`${fairway.url}/api/v1/session`, { method: 'POST', headers: json, body: credentials });
    ({ token } = (await session.json()) as { token: string });
  });
  afterAll(async () => await fairway.stop());

  it('has no file that nothing asks for', async () => {
    const asked = Object.keys(QUESTIONS).map((name) => `${name}.json`);
    expect((await readdir(FOLDER)).toSorted()).toEqual(asked.toSorted());
  });

  it.each(Object.entries(QUESTIONS))('%s', async (name, { verb = 'GET', path, signedIn = false, headers, body }) => {
    const response = await fetch(fairway.url + path, {
      method: verb,
      headers: { ...headers, ...(signedIn && { authorization: `Bearer ${token}` }) },
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(body !== undefined && { body }),
    });
    const contentType = response.headers.get('content-type');
    const text = steady(await response.text());
    const answer = {
      request: `${verb} ${path}`,
      status: response.status,
      contentType,
      cookie: steady(response.headers.get('set-cookie') ?? '') || undefined,
      body: contentType === 'application/json' ? (JSON.parse(text) as unknown) : text,
    };
    // As text, so that the order of keys counts too.
    expect(JSON.stringify(answer, null, 2)).toBe(JSON.stringify(await readGolden(`${name}.json`, answer), null, 2));
  });
});

async function readGolden(name: string, answer: unknown): Promise<unknown> {
  const path = join(FOLDER, name);
  if (UPDATE) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${JSON.stringify(answer, null, 2)}\n`);
  }
  return JSON.parse(await readFile(path, 'utf8')) as unknown;
}

/** Replaces what differs between releases, machines and runs. */
function steady(text: string): string {
  return text
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
    .replaceAll(/fairway([. ])\d+\.\d+\.\d+[\w.-]*/g, 'fairway$1<version>')
    .replaceAll(process.version, '<node version>')
    .replaceAll(/"Platform":"[^"]+"/g, '"Platform":"<platform>"');
}
