import { configMapNames, secretNames } from './home-objects.ts';
import type { SettingTable, SettingUse } from './setting-table.ts';
import { ignoredParameterPrefixes } from './tables/controller-parameters.ts';
import { generalTable } from './tables/general-settings.ts';
import { parameterTable } from './tables/parameter-settings.ts';
import { rbacTable } from './tables/rbac-settings.ts';
import { secretTable } from './tables/secret-settings.ts';

const introduction = `# Settings

Fairway keeps its settings where an Argo CD installation has them: in ConfigMaps and Secrets of its namespace. A change counts within
moments, without a restart, except where the text says that it is read at the start. This page is written by \`node scripts/settings/main.ts\` from the tables that the keys are parsed with.

- A value that cannot be read is warned about in the log, and the last good value stays in force; the default where there was none.
- A key that we do not know is warned about once.
- \`${configMapNames.general}\` is read only with the label \`app.kubernetes.io/part-of: argocd\`. When it, \`${configMapNames.rbac}\`,
  \`${configMapNames.parameters}\` or \`${secretNames.main}\` goes, what it said stays in force until the process ends or it is back.
- Durations are written as Go does, such as \`90s\` or \`1h30m\`; where the text says so, also with days, \`7d\`.
- In \`oidc.config\`, \`dex.config\`, \`extension.config\` and the webhook keys, a text \`$key\` stands for that key of \`${secretNames.main}\`, and
  \`$secret:key\` for a key of a Secret that is labelled \`app.kubernetes.io/part-of: argocd\`. One that is not there stays as it is.

"Not yet" means that the key is read and checked, but that the feature it belongs to is still to come.
`;

const stores = `## Other objects

| object | holds |
|---|---|
| ConfigMap \`${configMapNames.sshKnownHosts}\` | \`ssh_known_hosts\`: the keys of SSH servers, in the format of OpenSSH |
| ConfigMap \`${configMapNames.tlsCertificates}\` | for each host name, the certificates that its server is checked against, as PEM |
| ConfigMap \`${configMapNames.gpgKeys}\` | for each key id of 16 hexadecimal digits, an armoured public key |
| Secret \`${secretNames.serverTls}\` | \`tls.crt\` and \`tls.key\`: a certificate for the server that others manage; it wins over the one in \`${secretNames.main}\`, and \`--tls-cert\` over both |
| Secret \`${secretNames.initialAdmin}\` | \`password\`: what the first start made up for admin. Delete it when you have set another |
| Secret \`${secretNames.revokedTokens}\` | sessions that were ended before their time: hashed ids with their expiry, at most 10,000 |
| Secret \`${secretNames.lockouts}\` | accounts that are locked after too many wrong passwords, hashed, and until when |
| Secrets labelled \`argocd.argoproj.io/secret-type\` | \`repository\`, \`repo-creds\`, \`repository-write\`, \`repo-write-creds\`, \`cluster\`, \`scm-creds\` |

## The first start

What is missing is made, and nothing else is touched: the ConfigMaps above, \`${secretNames.main}\` with a signing key and the password of admin,
the project \`default\`, which allows everything, and a certificate where the server needs one. The password is the one that was given, or
16 random characters, which are shown once and kept in \`${secretNames.initialAdmin}\`. Several replicas may start at once.
`;

const useWords: Readonly<Record<SettingUse, string>> = { used: 'yes', planned: 'not yet' };

/** The page about settings, from the tables. */
export function formatDocumentation(): string {
  const ignored = ignoredParameterPrefixes.map((prefix) => `\`${prefix}${prefix.endsWith('.') ? '*' : ''}\``).join(', ');
  return [
    introduction,
    formatTable(`ConfigMap \`${configMapNames.general}\``, generalTable),
    formatTable(`ConfigMap \`${configMapNames.rbac}\``, rbacTable),
    formatTable(`ConfigMap \`${configMapNames.parameters}\``, parameterTable),
    `Without effect and without a warning, because they are about processes that Fairway does not have: what else begins with ${ignored}.\n`,
    formatTable(`Secret \`${secretNames.main}\``, secretTable),
    stores,
  ].join('\n');
}

function formatTable(title: string, table: SettingTable): string {
  const rows = Object.values(table).map((entry) => {
    const fallback = entry.kind === 'many' ? '' : (entry.fallbackText ?? formatFallback(entry.fallback));
    const cells = [`\`${entry.key}\``, fallback, entry.doc, useWords[entry.use]];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return [`## ${title}`, '', '| key | default | what it does | in use |', '|---|---|---|---|', ...rows, ''].join('\n');
}

function formatFallback(fallback: unknown): string {
  if (fallback === undefined || fallback === '') return '';
  if (Array.isArray(fallback)) return fallback.length === 0 ? '' : `\`${fallback.join(',')}\``;
  if (typeof fallback === 'object') return `\`${JSON.stringify(fallback)}\``;
  return `\`${String(fallback as string | number | boolean)}\``;
}
