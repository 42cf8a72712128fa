/**
 * What is said of all who cannot be reached or talked to. Whoever may try addresses would otherwise learn from here which ports of a
 * network are open: refused, silent, and open for something else must read the same.
 */
export const NO_REPOSITORY = 'the server does not answer, or not as a server of repositories does';

/** How programs and libraries say that there is no connection, or nobody who speaks the protocol. Refusals by a repository are not among them. */
const NO_CONVERSATION = [
  /connection (?:refused|reset|closed|timed out)|connect(?:ion)? to \S+ .*(?:refused|timed out)|no route to host|network is unreachable/i,
  /ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|EPROTO|ERR_SSL|socket hang up|socket disconnected|network socket/,
  /context deadline exceeded|failed timeout after/,
  /Parse Error|unexpected EOF|does not speak git's protocol|not valid: (?:is this a git repository|could not determine)/,
  /kex_exchange|banner|Received HTTP\/0\.9|wrong version number|gave HTTP response|packet length|gnutls|SSL_ERROR_SYSCALL|server hung up/i,
  // Somebody may have named any address as a proxy, or one that can reach what we cannot.
  /the proxy \S+ (?:cannot be reached|does not answer|does not speak|could not connect|answered|sent far)/,
  /`git (?:remote-https?|upload-pack|ls-remote)` failed exit status \d+/,
];

/** The message of a failed test of a repository, with no more in it than whoever asked may know. */
export function withoutPortDetails(message: string): string {
  return NO_CONVERSATION.some((pattern) => pattern.test(message)) ? NO_REPOSITORY : message;
}
