import { describe, expect, it } from 'vitest';
import { formatWelcome } from './format-welcome.ts';

const options = {
  version: '1.2.3',
  address: { host: '127.0.0.1', port: 8080 },
  secure: false,
  dataDir: '/data',
  generatedPassword: undefined,
  hasInitialPassword: false,
  docs: true,
  command: 'fairway',
};

describe('the welcome', () => {
  it('says where, who and what next', () => {
    const text = formatWelcome({ ...options, generatedPassword: 's3cret' });
    expect(text).toContain('http://127.0.0.1:8080\n');
    expect(text).toContain('s3cret');
    expect(text).toContain('argocd login 127.0.0.1:8080 --username admin --plaintext');
    expect(text).toContain('open http://127.0.0.1:8080 in a browser');
    expect(text).toContain('/docs');
    expect(text).toContain('Ctrl-C');
  });

  it('says how to see a password that was made up by an earlier start', () => {
    expect(formatWelcome({ ...options, hasInitialPassword: true })).toContain('fairway admin initial-password');
  });

  it('fits TLS, a wildcard address and switched-off pages', () => {
    const text = formatWelcome({ ...options, address: { host: '0.0.0.0', port: 443 }, secure: true, docs: false });
    expect(text).toContain('argocd login localhost:443 --username admin --insecure');
    expect(text).toContain('curl --insecure https://localhost:443/api/version');
    expect(text).not.toContain('/docs');
    expect(text).toContain('the one you chose');
  });
});
