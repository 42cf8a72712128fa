import type { GitUrl } from './git-url.ts';

interface GitFailure {
  readonly command: string;
  readonly code: number;
  readonly stderr: string;
  /** The server that was asked, if one was. */
  readonly url: GitUrl | undefined;
}

type Describe = (failure: GitFailure, match: RegExpExecArray) => string;

/** What git, curl and ssh say, and how existing clients know the same trouble. */
const KNOWN: readonly (readonly [RegExp, Describe])[] = [
  [/error: object [0-9a-f]+: (\w+)/, (_failure, match) => `git refuses the repository as malformed: ${match[1]}`],
  [/Authentication failed for|could not read (?:Username|Password) for/, () => 'authentication required'],
  [/The requested URL returned error: 401/, () => 'authentication required'],
  [/The requested URL returned error: 403/, () => 'authorization failed'],
  [
    /repository '[^']*' not found|The requested URL returned error: 404|does not appear to be a git repository/,
    () => 'repository not found',
  ],
  [/The requested URL returned error: (\d{3})/, (failure, match) => `unexpected requesting ${refsUrl(failure)} status code: ${match[1]}`],
  [
    /unable to update url base from redirection|HTTP (30\d)/,
    (failure) => `${refsUrl(failure)} answers with a redirect, which is not followed`,
  ],
  [/Could not resolve (?:host|hostname):? ([^\s:']+)/, (failure) => `dial tcp: lookup ${failure.url?.host ?? ''}: no such host`],
  [
    /Failed to connect to .*?(?:Connection refused|Couldn't connect|after \d+ ms)|connect to host .* Connection refused/,
    (failure) => `dial tcp ${address(failure.url)}: connect: connection refused`,
  ],
  [/Connection timed out|Operation timed out|Operation too slow|timed out/i, (failure) => `${refsUrl(failure)}: context deadline exceeded`],
  [
    /SSL certificate problem: certificate has expired|certificate has expired/,
    () => 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
  ],
  [
    /self[- ]signed certificate|unable to get local issuer certificate|server certificate verification failed|unable to verify the first certificate/,
    () => 'tls: failed to verify certificate: x509: certificate signed by unknown authority',
  ],
  [
    /no alternative certificate subject name matches|SSL: certificate subject name/,
    (failure) => `tls: failed to verify certificate: x509: certificate is not valid for ${failure.url?.host ?? ''}`,
  ],
  [
    /alert (?:certificate required|bad certificate|handshake failure)|certificate required/,
    () => 'remote error: tls: certificate required',
  ],
  [/REMOTE HOST IDENTIFICATION HAS CHANGED/, () => 'ssh: handshake failed: knownhosts: key mismatch'],
  [
    /No .* host key is known for|Host key verification failed|authenticity of host .* can't be established/,
    () => 'ssh: handshake failed: knownhosts: key is unknown',
  ],
  [
    /Permission denied \(/,
    () => 'ssh: handshake failed: ssh: unable to authenticate, attempted methods [none publickey], no supported methods remain',
  ],
  [/Load key .*: (?:invalid format|error in libcrypto)/, () => 'ssh: no key found'],
  [/(?:transport|protocol) '([^']+)' not allowed/, (_failure, match) => `transport '${match[1]}' not allowed`],
  [
    /early EOF|unexpected disconnect|hung up unexpectedly|Empty reply from server|Connection reset|transfer closed/i,
    () => 'unexpected EOF',
  ],
  [/No space left on device/, () => 'no space left on the disk of the cache'],
];

/** How much of what git, and the server through it, says of a failure is looked at, from its beginning and its end; and of one line. */
const SAID_MAX = 32 << 10;
const LINE_MAX = 500;

/** What is looked at of what was said: a server may say any amount, and patterns take much longer for long lines. */
export function shortenErrors(stderr: string): string {
  const said = stderr.length <= 2 * SAID_MAX ? stderr : `${stderr.slice(0, SAID_MAX)}\n${stderr.slice(-SAID_MAX)}`;
  return said
    .split('\n')
    .map((line) => line.slice(0, LINE_MAX))
    .join('\n');
}

/** One line for a caller, without secrets and paths of this machine. What is not known is git's own last word. */
export function describeGitFailure(failure: GitFailure): string {
  for (const [pattern, describe] of KNOWN) {
    const match = pattern.exec(failure.stderr);
    if (match !== null) return describe(failure, match);
  }
  const lines = failure.stderr.split('\n').filter((line) => /^(?:fatal|error|remote|ssh):?/.test(line));
  const said = withoutSecrets(lines.at(-1) ?? '');
  return `\`git ${failure.command}\` failed exit status ${failure.code}${said === '' ? '' : `: ${said}`}`;
}

/** Takes users and passwords out of URLs, and paths of the machine out of a text. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/([A-Za-z][A-Za-z0-9+.-]*:\/\/)[^\s/@'"]*@/g, '$1')
    .replace(/(Authorization:\s*\S+\s+)\S+/gi, '$1******')
    .replace(/(^|[\s'"=(])\/(?:[^\s'":)]+\/)+[^\s'":)]*/g, '$1<path to cached source>');
}

function refsUrl({ url }: GitFailure): string {
  if (url === undefined) return 'the server';
  return url.transport === 'ssh' ? `ssh ${address(url)}` : `"${url.url}/info/refs?service=git-upload-pack"`;
}

function address(url: GitUrl | undefined): string {
  if (url === undefined) return '';
  return `${url.host}:${url.port ?? { http: 80, https: 443, ssh: 22, file: 0 }[url.transport]}`;
}
