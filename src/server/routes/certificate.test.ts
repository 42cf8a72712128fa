import { expect, it } from 'vitest';
import type { Caller } from '../../access/index.ts';
import { Code } from '../../base/index.ts';
import type { HttpReply } from '../http.ts';
import { createServerCertificate } from '../listener/server-certificate.ts';
import { createCertificateRoutes } from './certificate.ts';

const { certificate } = createServerCertificate('git.example', new Date('2020-03-01T00:00:00Z'));
const tlsCertificates = new Map([['git.example', `${certificate}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`]]);

function ask(isAllowed: boolean, authorization?: string): Promise<HttpReply> {
  const [route] = createCertificateRoutes({
    policy: { isAllowed: (_caller, resource, action) => isAllowed && resource === 'certificates' && action === 'get' },
    settings: { current: { tlsCertificates } },
    authenticate: async (token) => (token === 'a.good.one' ? ({ username: 'ada', issuedAt: 0 } as Caller) : undefined),
  });
  return (async () =>
    route!.handler({
      verb: 'GET',
      path: route!.path,
      query: '',
      headers: { authorization },
      remoteAddress: '127.0.0.1',
      secure: false,
      signal: new AbortController().signal,
      readBody: async () => Buffer.alloc(0),
    }))();
}

it('tells who signed a certificate and when it counts, and of a broken one only whose it is', async () => {
  const { body } = await ask(true, 'Bearer a.good.one');
  const [whole, broken] = (JSON.parse(String(body)) as { items: Record<string, string>[] }).items;
  expect(whole).toMatchObject({ serverName: 'git.example', subject: 'O=Fairway', issuer: 'O=Fairway' });
  expect(whole?.['notBefore']).toMatch(/^2020-0[23]-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(Date.parse(whole?.['notAfter'] ?? '')).toBeGreaterThan(Date.parse('2020-03-02'));
  expect(broken).toEqual({ serverName: 'git.example', subject: 'could not parse X509 data from input' });
});

it('answers only who may see certificates', async () => {
  await expect(ask(true)).rejects.toMatchObject({ code: Code.Unauthenticated });
  await expect(ask(false, 'Bearer a.good.one')).rejects.toMatchObject({ code: Code.PermissionDenied });
});
