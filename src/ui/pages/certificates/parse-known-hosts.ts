import type { RepositoryCertificate } from '../../../contract/gen/types.ts';
import { encodeBytes } from '../../api/index.ts';

export interface ParsedKnownHosts {
  readonly certificates: readonly RepositoryCertificate[];
  /** Lines that cannot be used, and why. */
  readonly problems: readonly string[];
}

/** Reads lines as `ssh-keyscan` prints them and known_hosts files have them. Comments and blank lines say nothing. */
export function parseKnownHosts(text: string): ParsedKnownHosts {
  const certificates: RepositoryCertificate[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [hosts = '', keyType = '', key = ''] = line.trim().split(/\s+/);
    if (hosts === '' || hosts.startsWith('#')) continue;
    if (hosts.startsWith('@')) problems.push(`Line ${index + 1} begins with ${hosts}, which is not supported here.`);
    else if (hosts.startsWith('|')) problems.push(`Line ${index + 1} hides its host. Ask with ssh-keyscan and without -H.`);
    else if (key === '') problems.push(`Line ${index + 1} is not "host type key".`);
    else
      for (const serverName of hosts.split(',').filter(Boolean))
        certificates.push({ serverName, certType: 'ssh', certSubType: keyType, certData: encodeBytes(key), certInfo: '' });
  }
  return { certificates, problems };
}
