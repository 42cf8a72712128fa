import { describe, expect, it } from 'vitest';
import { explainConnection } from './explain-connection.ts';

describe('what a failed connection means', () => {
  it.each([
    ['failed to list refs: authentication required', /refuses these credentials/],
    ['fatal: Authentication failed for https://git.example/', /refuses these credentials/],
    ['ssh: unable to authenticate, attempted methods [none publickey], no supported methods remain', /does not accept this SSH key/],
    ['ssh: handshake failed: knownhosts: key is unknown', /host key of the server is not known/],
    ['ssh: handshake failed: knownhosts: key mismatch', /another host key/],
    ['tls: failed to verify certificate: x509: certificate signed by unknown authority', /TLS certificate/],
    ['Get "https://127.0.0.1:5000/v2/": http: server gave HTTP response to HTTPS client', /speaks plain HTTP/],
    ['self-signed certificate in certificate chain', /TLS certificate/],
    ['Could not resolve host: git.exmaple', /no server of this name/],
    ['connect ECONNREFUSED 127.0.0.1:6443', /Nothing listens/],
    ['cannot reach the cluster at https://127.0.0.1:9: it refuses connections', /Nothing listens/],
    ['cannot reach the cluster at https://paris.invalid: its host name is not known', /no server of this name/],
    ['the cluster refuses these credentials: Unauthorized', /refuses these credentials/],
    ['it did not answer in time', /did not answer in time/],
    ['the server does not answer, or not as a server of repositories does', /answers as a repository does/],
    ['repository not found', /nothing at this address/],
    ['authorization failed', /does not let them in/],
    ['The requested URL returned error: 500', /error of its own/],
  ])('%s', (message, meaning) => {
    expect(explainConnection(message)).toMatch(meaning);
  });

  it('is not guessed', () => {
    expect(explainConnection('the moon is full')).toBeUndefined();
  });
});
