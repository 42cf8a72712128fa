import { methods, type MethodSchema } from '../../../src/contract/index.ts';
import { CLIENT_COMMANDS } from '../../../test/conformance/contract/client-commands.ts';
import { EXPECTED_ANSWERS, REFUSING } from '../../../test/conformance/contract/expected-answers.ts';
import type { Things } from '../../../test/conformance/contract/things.ts';
import { PROMISED_METHODS, PROMISED_ROUTES } from '../../../test/conformance/promised-api.ts';

/** What stands for things in commands. */
const NAMES: Things = {
  app: 'APP',
  spare: 'APP',
  namespace: 'NAMESPACE',
  project: 'PROJECT',
  askedProject: 'PROJECT',
  spareProject: 'PROJECT',
  set: 'SET',
  spareSet: 'SET',
  cluster: { server: 'SERVER', name: 'CLUSTER', token: 'TOKEN' },
  repository: 'REPOSITORY',
  revision: 'REVISION',
  spareRepository: 'REPOSITORY',
  packaged: 'APP',
  charts: 'REPOSITORY',
  oci: 'REPOSITORY',
  digest: 'DIGEST',
  credentials: 'URL',
  host: 'HOST',
  hostKey: 'KEY',
  key: { id: 'KEY-ID', data: '' },
  account: 'ACCOUNT',
  password: 'PASSWORD',
  accountToken: 'TOKEN-ID',
  adminPassword: 'PASSWORD',
};
const STAGE = {
  present: NAMES,
  absent: NAMES,
  address: 'ADDRESS',
  files: { knownHosts: 'FILE', key: 'FILE', set: 'FILE', manifests: 'FOLDER' },
};

/** The page that lists every method with its routes, its command and how it stands. */
export function writeConformancePage(): string {
  const services = [...new Set(methods.map(({ service }) => service))];
  const commands = Object.values(CLIENT_COMMANDS).filter((command) => typeof command !== 'string').length;
  const routes = methods.reduce((count, { http }) => count + http.length, 0);
  return [
    '# Every method, route and command',
    '',
    '<!-- Made by `npm run generate` from the tables in test/conformance/contract. -->',
    '',
    `The contract has ${methods.length} methods and ${routes} REST routes; commands of the stock client \`argocd\` are known for ${commands} of the methods. One suite asks all of`,
    'them of the real program and looks at what comes back: each route over REST, each method over gRPC, each command with the stock client, which must',
    'have called the method. It runs twice, with everything in one process (`test/conformance/contract-embedded.test.ts`) and on a real control plane',
    '(`test/conformance/contract-cluster.test.ts`).',
    '',
    '| column | meaning |',
    '|---|---|',
    '| promised | the API document names the method or one of its routes |',
    '| stock client | the command that the suite runs, or why it runs none |',
    '| state | `answers`: as the API document and Argo CD have it, over each of the ways in this row, in both homes. Otherwise what it answers instead. |',
    ...services.flatMap((service) => [
      '',
      `## ${service}`,
      '',
      '| method | REST | promised | stock client | state |',
      '|---|---|---|---|---|',
      ...methods.filter((method) => method.service === service).map(writeRow),
    ]),
    '',
  ].join('\n');
}

function writeRow(method: MethodSchema): string {
  const path = method.path.slice(1);
  const routes = method.http.map(({ verb, path: address }) => `\`${verb} ${address}\``).join('<br>');
  const cells = [method.name, routes, isPromised(method) ? 'yes' : '', commandOf(path), stateOf(path)];
  return `| ${cells.join(' | ')} |`;
}

function isPromised({ service, name, http }: MethodSchema): boolean {
  const routes = new Set(http.map(({ verb, path }) => `${verb} ${path.replaceAll('=**}', '}')}`));
  return (PROMISED_METHODS[service] ?? '').split(' ').includes(name) || PROMISED_ROUTES.some(([route]) => routes.has(route));
}

function commandOf(path: string): string {
  const command = CLIENT_COMMANDS[path];
  if (command === undefined || typeof command === 'string') return command ?? '';
  const words = command.arguments(STAGE).map((word) => (/[{" ]/.test(word) ? `'${word}'` : word));
  return `\`argocd ${words.join(' ')}\``;
}

function stateOf(path: string): string {
  if (!REFUSING.has(path)) return 'answers';
  const refusal = `refuses: ${EXPECTED_ANSWERS[path]?.(NAMES) ?? ''}`;
  return path === 'cluster.ClusterService/RotateAuth' ? `answers on a real control plane; in one process ${refusal}` : refusal;
}
