/** What a text that a server or a program wrote about a failed connection means, and what can be done; undefined where we cannot tell. */
export function explainConnection(message: string): string | undefined {
  return MEANINGS.find(({ pattern }) => pattern.test(message))?.meaning;
}

/** In the order of trust: a text may have words of several. */
const MEANINGS: readonly { readonly pattern: RegExp; readonly meaning: string }[] = [
  {
    pattern: /publickey/i,
    meaning: 'The server does not accept this SSH key. Check that its public half is registered there.',
  },
  { pattern: /no key found/i, meaning: 'This is no SSH key that can be read. Paste the whole private key, with its first and last line.' },
  {
    pattern: /key mismatch/i,
    meaning: 'The server shows another host key than the one that is known here. Find out why before you trust it.',
  },
  {
    pattern: /host key|knownhosts|known_hosts/i,
    meaning: 'The host key of the server is not known here. Add it under Certificates.',
  },
  {
    pattern: /server gave HTTP response/i,
    meaning:
      'The server speaks plain HTTP at this address, not HTTPS. Check the port; of a registry that is meant to do so, say "Use HTTP instead of HTTPS" in its settings.',
  },
  {
    pattern: /x509|certificate|self.signed|SSL|speak TLS|ERR_TLS|unable to verify/i,
    meaning:
      'The TLS certificate of the server is not trusted. Check the address, or trust the one that signed it: for repositories under Certificates, for a cluster in its connection.',
  },
  {
    pattern:
      /authenticat|refuses these credentials|unauthori[sz]ed|\b401\b|invalid credentials|could not read (?:username|password)|invalid username or password/i,
    meaning: 'The server refuses these credentials. Check user name, password or token, and whether they have expired.',
  },
  {
    pattern: /forbidden|authorization failed|\b403\b|access denied|permission denied/i,
    meaning: 'The server knows who asks and does not let them in. Check what the account or token may do there.',
  },
  {
    pattern: /could not resolve|host name (?:is not known|cannot be looked up)|ENOTFOUND|EAI_AGAIN|no such host|name or service not known/i,
    meaning: 'There is no server of this name. Check the address for a slip, and whether this name is known where Fairway runs.',
  },
  {
    pattern: /connection refused|refuses connections|ECONNREFUSED/i,
    meaning: 'Nothing listens at this address. Check the host and port, and whether the server runs.',
  },
  {
    pattern:
      /timed? ?out|it does not answer|there is no way to|ETIMEDOUT|in time|deadline|ECONNRESET|unexpected EOF|socket hang up|EHOSTUNREACH|ENETUNREACH|no route to host/i,
    meaning: 'The server did not answer in time. Check the address, and whether a firewall or a proxy stands between.',
  },
  {
    pattern: /not as a server of repositories/i,
    meaning:
      'Nothing at this address answers as a repository does. Check the address, whether the server runs, and of a registry whether it speaks HTTPS.',
  },
  {
    pattern: /not found|\b404\b|does not appear to be a git repository|does not exist/i,
    meaning: 'The server has nothing at this address, or does not show it to these credentials.',
  },
  {
    pattern: /\b5\d\d\b|internal server error|bad gateway/i,
    meaning: 'The server answered with an error of its own. Look at it, or try again later.',
  },
];
