import { formatAddress, reachableAddress, type Address } from './address.ts';

export interface WelcomeOptions {
  readonly version: string;
  readonly address: Address;
  readonly secure: boolean;
  readonly dataDir: string;
  /** Known only when this start made it up. */
  readonly generatedPassword: string | undefined;
  /** Whether the password that a first start made up is still kept. */
  readonly hasInitialPassword: boolean;
  readonly docs: boolean;
  /** How this program is called, for commands to go on with. */
  readonly command: string;
}

/** What a person at a terminal needs to go on, once the server answers. */
export function formatWelcome(options: WelcomeOptions): string {
  const address = formatAddress(reachableAddress(options.address));
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
    `    open ${url} in a browser`,
    `    argocd login ${address} --username admin ${options.secure ? '--insecure' : '--plaintext'}`,
    `    ${curl} ${url}/api/version`,
    ...(options.docs ? [`    open ${url}/docs in a browser`] : []),
    '',
    '  Stop with Ctrl-C.',
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function formatPassword({ generatedPassword, hasInitialPassword, command }: WelcomeOptions): string[] {
  const again = `${command} admin initial-password`;
  if (generatedPassword === undefined)
    return [`  Password   ${hasInitialPassword ? `the first one, unless you changed it: ${again}` : 'the one you chose'}`];
  return [`  Password   ${generatedPassword}`, `             (again with: ${again})`];
}
