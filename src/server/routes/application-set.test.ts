import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApplicationSetPlane, templateOf, type ApplicationSetPlane } from '../../../test/support/application-set-plane.ts';
import type { Caller } from '../../access/index.ts';
import { Code } from '../../base/index.ts';
import type { HttpReply, HttpRequest } from '../http.ts';
import { createApplicationSetRoutes } from './application-set.ts';

let sets: ApplicationSetPlane;
beforeAll(async () => {
  sets = await openApplicationSetPlane();
}, 60_000);
afterAll(() => sets.close());

const json = { authorization: 'Bearer a.good.one', 'content-type': 'application/json' };
const set = {
  metadata: { name: 'web' },
  spec: { generators: [{ list: { elements: [{ name: 'a' }] } }], template: templateOf('{{name}}') },
};

/** Asks for the preview of a text as somebody who may do everything. */
function preview(body: string, headers: HttpRequest['headers'] = json): Promise<HttpReply> {
  const authenticate = async (token: string | undefined) => (token === 'a.good.one' ? ({ username: 'admin' } as Caller) : undefined);
  const [route] = createApplicationSetRoutes({ context: sets.service, authenticate });
  return route!.handler({
    verb: 'POST',
    path: route!.path,
    query: '',
    headers,
    remoteAddress: '127.0.0.1',
    secure: false,
    signal: new AbortController().signal,
    readBody: async () => Buffer.from(body),
  });
}

describe('the preview of an application set', () => {
  it('answers with what would become of each application', async () => {
    const { status, body } = await preview(JSON.stringify({ apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', ...set }));
    expect(status).toBe(200);
    expect(JSON.parse(body as string)).toMatchObject({ changes: [{ name: 'a', kind: 'create', after: { spec: { project: 'default' } } }] });
  });

  it.each([
    ['nobody who is signed in', JSON.stringify(set), { ...json, authorization: 'Bearer a.bad.one' }, Code.Unauthenticated],
    ['a form of another site', JSON.stringify(set), { ...json, 'content-type': 'text/plain' }, Code.InvalidArgument],
    ['no JSON', '{', json, Code.InvalidArgument],
    ['no set', '[]', json, Code.InvalidArgument],
    ['a set without anything', '{}', json, Code.InvalidArgument],
    ['fields of other types', '{"metadata":{"name":5},"spec":{"generators":"x"}}', json, Code.InvalidArgument],
  ])('is refused for %s', async (_title, body, headers, code) => expect(preview(body, headers)).rejects.toMatchObject({ code }));
});
