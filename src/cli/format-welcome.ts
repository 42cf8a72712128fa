import { formatAddress, type Address } from './address.ts';

export interface WelcomeOptions {
  readonly version: string;
  readonly address: Address;
  readonly secure: boolean;
  readonly dataDir: string;
  /** Known only when this start made it up. */
  readonly generatedPassword: string | undefined;
  /** The file with the password that the first start made up, when it is still there. */
  readonly passwordFile: string | undefined;
  readonly docs: boolean;
}

/** What a person at a terminal needs to go on, once the server answers. */
export function formatWelcome(options: WelcomeOptions): string {
  const address = formatAddress(reachable(options.address));
  const url = `${options.secure ? 'https' : 'http'}://${address}`;
  const curl = options.secure ? 'curl --insecure' : 'curl';
  const lines = [
    '',
    `  Fairway ${options.version}`,
    '',
    `  Address    ${url}`,
    '  User       admin',
    ...formatPassword(options),
    `  Data       ${options.dataDir}`,
    '',
    '  Next',
    `    argocd login ${address} --username admin ${options.secure ? '--insecure' : '--plaintext'}`,
    `    ${curl} ${url}/api/version`,
    ...(options.docs ? [`    open ${url}/docs in a browser`] : []),
    '',
    '  Stop with Ctrl-C.',
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function formatPassword({ generatedPassword, passwordFile }: WelcomeOptions): string[] {
  if (generatedPassword === undefined) return [`  Password   ${passwordFile === undefined ? 'the one you chose' : `in ${passwordFile}`}`];
  return [`  Password   ${generatedPassword}`, ...(passwordFile === undefined ? [] : [`             (also in ${passwordFile})`])];
}

/** A wildcard address is where we listen, not where a client connects. */
function reachable({ host, port }: Address): Address {
  return { host: host === '0.0.0.0' || host === '::' ? 'localhost' : host, port };
}
