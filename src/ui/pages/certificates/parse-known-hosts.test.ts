import { describe, expect, it } from 'vitest';
import { parseKnownHosts } from './parse-known-hosts.ts';

describe('known hosts that somebody pastes', () => {
  it('are read line by line, each host of its own', () => {
    const { certificates, problems } = parseKnownHosts(
      '# git.example:22 SSH-2.0\n\n[git.example]:2222,10.0.0.1 ssh-ed25519 AAAAkey comment\n',
    );
    expect(problems).toEqual([]);
    expect(certificates.map(({ serverName, certSubType, certData }) => [serverName, certSubType, atob(certData)])).toEqual([
      ['[git.example]:2222', 'ssh-ed25519', 'AAAAkey'],
      ['10.0.0.1', 'ssh-ed25519', 'AAAAkey'],
    ]);
  });

  it('are told when they cannot be used', () => {
    const { certificates, problems } = parseKnownHosts('|1|abc=|def= ssh-rsa AAAA\n@revoked x ssh-rsa AAAA\ngit.example ssh-rsa');
    expect(certificates).toEqual([]);
    expect(problems).toEqual([
      expect.stringMatching(/^Line 1 hides its host/),
      expect.stringMatching(/^Line 2 begins with @revoked/),
      expect.stringMatching(/^Line 3 is not/),
    ]);
  });
});
