import { describe, expect, it } from 'vitest';
import { flagKeys, flagName, variableName } from './flags.ts';
import { formatHelp } from './format-help.ts';
import { parseCommand, type Command } from './parse-command.ts';

const parse = (words: string, environment: Record<string, string> = {}): Command =>
  parseCommand({ arguments: words.split(' ').filter((word) => word !== ''), environment });

const parseUp = (words: string, environment: Record<string, string> = {}) => {
  const command = parse(words, environment);
  if (command.kind !== 'up') throw new Error(`it is ${command.kind}`);
  return command;
};

describe('the command line', () => {
  it('runs the server with the defaults when nothing is said', () => {
    expect(parse('')).toEqual({
      kind: 'up',
      options: {
        listen: { host: '127.0.0.1', port: 8080 },
        data: undefined,
        kubeconfig: undefined,
        context: undefined,
        inCluster: false,
        shadow: false,
        shadowPatience: 15,
        allowFileRepositories: false,
        clusterCommands: undefined,
        pluginSockets: '/home/argocd/cmp-server/plugins',
        namespace: 'argocd',
        applicationNamespaces: undefined,
        applicationsetNamespaces: undefined,
        tls: 'auto',
        tlsCert: undefined,
        tlsKey: undefined,
        logLevel: 'info',
        logFormat: 'auto',
        metricsListen: undefined,
        docs: 'on',
      },
      warnings: [],
    });
    expect(parse('up')).toEqual(parse(''));
  });

  it('makes an example, where it is told to', () => {
    expect(parse('example')).toEqual({ kind: 'example', folder: 'fairway-example' });
    expect(parse('example /tmp/shop')).toEqual({ kind: 'example', folder: '/tmp/shop' });
    expect(() => parse('example a b')).toThrow("unexpected argument 'b'");
    expect(() => parse('example --data d')).toThrow('example has no flag --data');
  });

  it('gets tools: all, or those that are named', () => {
    expect(parse('tools install')).toEqual({ kind: 'tools-install', names: [] });
    expect(parse('tools install helm')).toEqual({ kind: 'tools-install', names: ['helm'] });
    expect(() => parse('tools install --listen :0')).toThrow('tools has no flag --listen');
    expect(() => parse('tools')).toThrow('tools needs a command: install');
    expect(() => parse('tools instal')).toThrow("unknown command 'tools instal'; did you mean install?");
  });

  it('shadows an Argo CD, as a server or once, and only on a cluster', () => {
    expect(parseUp('--shadow --kubeconfig k').options).toMatchObject({ shadow: true, kubeconfig: 'k' });
    expect(parseUp('--kubeconfig k', { FAIRWAY_SHADOW: 'true' }).options).toMatchObject({ shadow: true });
    expect(parseUp('--shadow --kubeconfig k --shadow-patience 60').options).toMatchObject({ shadowPatience: 60 });
    for (const patience of ['-1', '1.5', '3601', 'soon'])
      expect(() => parseUp(`--shadow --kubeconfig k --shadow-patience=${patience}`)).toThrow('must be a whole number from 0 to 3600');
    expect(parse('shadow --kubeconfig k --json')).toMatchObject({ kind: 'shadow', json: true, options: { shadow: true } });
    for (const text of ['--shadow', 'shadow']) expect(() => parse(text)).toThrow('say on which cluster it is');
    expect(() => parse('up --json')).toThrow('--json is a flag of shadow');
  });

  it('takes a value after a space or an equals sign, and the last of two', () => {
    expect(parseUp('--listen :0 --data=a=b --log-level debug --log-level=warn').options).toMatchObject({
      listen: { host: '0.0.0.0', port: 0 },
      data: 'a=b',
      logLevel: 'warn',
    });
  });

  it('does not take the next flag for a value', () => {
    expect(() => parse('--data --listen :0')).toThrow('--data needs a value');
    expect(parseUp('--data=--listen --listen :0').options).toMatchObject({ data: '--listen', listen: { port: 0 } });
  });

  it('says nothing of the variables that a cluster makes of a Service', () => {
    const service = {
      FAIRWAY_SERVICE_HOST: '10.0.0.1',
      FAIRWAY_SERVICE_PORT_HTTP: '80',
      FAIRWAY_PORT: 'tcp://10.0.0.1:80',
      FAIRWAY_PORT_80_TCP_ADDR: '10.0.0.1',
      FAIRWAY_METRICS_SERVICE_PORT: '90',
    };
    expect(parseUp('', { ...service, KUBERNETES_SERVICE_HOST: '10.0.0.2', FAIRWAY_LISTN: 'x' }).warnings).toEqual([
      'unknown environment variable FAIRWAY_LISTN; did you mean FAIRWAY_LISTEN?',
    ]);
    expect(parseUp('', service).warnings).toHaveLength(5);
  });

  it('takes each setting from the environment too, and lets the flag win', () => {
    const environment = { FAIRWAY_LISTEN: '[::1]:99', FAIRWAY_TLS: 'on', FAIRWAY_LOG_FORMAT: '', FAIRWAY_METRICS_LISTEN: 'localhost:9' };
    expect(parseUp('--tls off', environment).options).toMatchObject({
      listen: { host: '::1', port: 99 },
      tls: 'off',
      logFormat: 'auto',
      metricsListen: { host: 'localhost', port: 9 },
    });
  });

  it('takes where the home is', () => {
    expect(parseUp('--kubeconfig k --context c --namespace cd --application-namespaces team-*,,other').options).toMatchObject({
      kubeconfig: 'k',
      context: 'c',
      namespace: 'cd',
      applicationNamespaces: ['team-*', 'other'],
      applicationsetNamespaces: undefined,
    });
    expect(parseUp('--in-cluster --applicationset-namespaces=a').options).toMatchObject({
      inCluster: true,
      applicationsetNamespaces: ['a'],
    });
    expect(parseUp('--in-cluster --cluster-commands kubelogin,/opt/login').options.clusterCommands).toEqual(['kubelogin', '/opt/login']);
    expect(parseUp('--in-cluster=false').options.inCluster).toBe(false);
    expect(parseUp('', { FAIRWAY_IN_CLUSTER: 'true', FAIRWAY_NAMESPACE: 'cd' }).options).toMatchObject({
      inCluster: true,
      namespace: 'cd',
    });
  });

  it('takes what to export and what to import', () => {
    expect(parse('export')).toMatchObject({ kind: 'export', secrets: false });
    expect(parse('export --secrets --kubeconfig k')).toMatchObject({ kind: 'export', secrets: true, options: { kubeconfig: 'k' } });
    expect(parse('import --dry-run home.yaml')).toMatchObject({ kind: 'import', file: 'home.yaml', dryRun: true });
    expect(parse('import -')).toMatchObject({ kind: 'import', file: '-', dryRun: false });
  });

  it.each(['help', '--help', '-h', 'up --listen 1.2.3.4:1 --help'])('shows the help for %j', (words) => {
    expect(parse(words)).toEqual({ kind: 'help' });
  });

  it.each(['version', '--version'])('shows the version for %j', (words) => {
    expect(parse(words)).toEqual({ kind: 'version' });
  });

  it('says that a certificate means TLS', () => {
    expect(parseUp('--tls-cert c --tls-key k').options.tls).toBe('on');
  });

  it.each([
    ['--lisen :1', 'unknown flag --lisen; did you mean --listen?'],
    ['--loglevel=info', 'unknown flag --loglevel; did you mean --log-level?'],
    ['--nothing-like-it', 'unknown flag --nothing-like-it'],
    ['-p 80', 'unknown flag -p'],
    ['upp', "unknown command 'upp'; did you mean up?"],
    ['versoin', "unknown command 'versoin'; did you mean version?"],
    ['up and away', "unexpected argument 'and'"],
    ['--listen', '--listen needs a value: --listen HOST:PORT'],
    ['--data=', '--data needs a value: --data DIR'],
    ['--listen 8080', "--listen '8080': must be HOST:PORT, for example 127.0.0.1:8080 or [::1]:8080"],
    ['--listen ::1:80', "--listen '::1:80': must be HOST:PORT, for example 127.0.0.1:8080 or [::1]:8080"],
    ['--listen a:70000', "--listen 'a:70000': the port must be from 0 to 65535"],
    ['--listen 1.2.3:80', "--listen '1.2.3:80': the host must be a name or an IP address"],
    ['--listen [x]:80', "--listen '[x]:80': what is in brackets must be an IPv6 address"],
    ['--tls maybe', "--tls 'maybe': must be auto, on or off"],
    ['--in-cluster --kubeconfig k', '--in-cluster contradicts --kubeconfig'],
    ['--context c', '--context needs --kubeconfig'],
    ['--in-cluster=maybe', "--in-cluster 'maybe': must be true or false"],
    ['--namespace Argo_CD', "--namespace 'Argo_CD': must have at most 63 lower-case letters"],
    ['--secrets', '--secrets is a flag of export'],
    ['export --dry-run', '--dry-run is a flag of import'],
    ['export --secrets=x', 'unknown flag --secrets'],
    ['import', 'import needs a file, or - for the standard input'],
    ['import a b', "unexpected argument 'b'"],
    ['admin', 'admin needs a command: initial-password'],
    ['admin initial', "unknown command 'admin initial'; did you mean initial-password?"],
    ['admin initial-password now', "unexpected argument 'now'"],
    ['--tls-cert c', '--tls-cert and --tls-key belong together: one of them is missing'],
    ['--tls-key k', '--tls-cert and --tls-key belong together: one of them is missing'],
    ['--tls off --tls-cert c --tls-key k', '--tls off contradicts --tls-cert'],
  ])('refuses %j', (words, message) => {
    expect(() => parse(words)).toThrow(message);
  });

  it('names the variable when that is where a bad value comes from', () => {
    expect(() => parse('', { FAIRWAY_LOG_LEVEL: 'loud' })).toThrow("FAIRWAY_LOG_LEVEL 'loud': must be debug, info, warn or error");
    expect(() => parse('--log-level quiet', { FAIRWAY_LOG_LEVEL: 'loud' })).toThrow("--log-level 'quiet'");
  });

  it('warns about variables that it does not know', () => {
    const environment = { FAIRWAY_LISTN: ':1', FAIRWAY_ADMIN_PASSWORD: 'x', FAIRWAY_CACHE: 'x', OTHER: 'x' };
    expect(parseUp('', environment).warnings).toEqual(['unknown environment variable FAIRWAY_LISTN; did you mean FAIRWAY_LISTEN?']);
  });
});

describe('the help', () => {
  it('names every flag and its variable', () => {
    const help = formatHelp('1.2.3');
    expect(help).toContain('FAIRWAY_ALLOW_FILE_REPOSITORIES; default: only with the embedded API');
    for (const key of flagKeys) {
      expect(help).toMatch(new RegExp(`^  ${flagName(key)}( |$)`, 'm'));
      expect(help).toContain(variableName(key));
    }
    expect(help).toContain('--tls-cert FILE');
    expect(help).toContain('default: 127.0.0.1:8080');
  });
});
