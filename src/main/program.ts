import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { passwordBytesMax } from '../access/index.ts';
import { createLogger, type Logger } from '../base/index.ts';
import { formatHelp, formatShadowReport, formatWelcome, parseCommand, UsageError, type Command, type UpOptions } from '../cli/index.ts';
import { createServerMetrics } from '../server/index.ts';
import { readInitialPassword, type ImportResult } from '../settings/index.ts';
import { findDefaultDataDir } from './data-folder.ts';
import { createExampleRepository } from './example-repository.ts';
import { guardProcess, stopOnSignals } from './guards.ts';
import { readKubeconfig } from './kubeconfig.ts';
import { openCommandHome } from './open-command-home.ts';
import type { OpenHomeOptions } from './open-home.ts';
import { startReturningMemory } from './return-memory.ts';
import { runShadow } from './shadow.ts';
import { describeSystemError, StartError, toStartError } from './start-error.ts';
import { runToolsInstall } from './tools.ts';
import { runExport, runImport } from './transfer.ts';
import { startUp } from './up.ts';

/** The program. Here, and nowhere below, the command line and the environment are read. */
export async function runProgram(): Promise<void> {
  // A reader of our output that goes away is no reason to stop serving.
  process.stdout.on('error', () => undefined);
  try {
    const command = parseCommand({ arguments: process.argv.slice(2), environment: process.env });
    if (isForItsOutput(command)) process.stdout.once('error', endWithOutput);
    if (command.kind === 'help') process.stdout.write(formatHelp(readVersion()));
    else if (command.kind === 'version') process.stdout.write(`fairway ${readVersion()}\n`);
    else if (command.kind === 'kubeconfig') process.stdout.write(await printableKubeconfig(command.options));
    else if (command.kind === 'initial-password') process.stdout.write(`${await findInitialPassword(command.options)}\n`);
    else if (command.kind === 'tools-install') await runToolsInstall(command.names, process.env);
    else if (command.kind === 'example') process.stdout.write(`${await createExampleRepository(resolve(command.folder), process.env)}\n`);
    else if (command.kind === 'shadow') await compareOnce(command);
    else if (command.kind === 'export') await printExport(command);
    else if (command.kind === 'import') await applyImport(command);
    else await up(command);
  } catch (error) {
    if (error instanceof UsageError) fail(2, `${error.message}\nfairway help lists all flags and commands`);
    else if (error instanceof StartError) fail(1, error.message);
    else throw error;
  }
}

async function printableKubeconfig(options: UpOptions): Promise<string> {
  const dataDir = resolve(options.data ?? findDefaultDataDir(process.env));
  return readKubeconfig({ options, dataDir, password: takeFirstPassword() });
}

async function findInitialPassword(options: UpOptions): Promise<string> {
  const home = await openCommandHome(describeHome(options));
  try {
    const password = await readInitialPassword(home.api, home.namespace);
    if (password !== undefined) return password;
    throw new StartError('there is no initial password: it was chosen by hand, or its Secret argocd-initial-admin-secret was deleted');
  } catch (error) {
    throw toStartError(error, 'cannot read the initial password');
  } finally {
    await home.close();
  }
}

async function printExport({ options, secrets }: Command & { kind: 'export' }): Promise<void> {
  const write = async (text: string): Promise<void> => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  };
  const warn = (message: string) => void process.stderr.write(`fairway: ${message}\n`);
  await runExport({ ...describeHome(options), secrets, write, warn });
}

async function applyImport({ options, file, dryRun }: Command & { kind: 'import' }): Promise<void> {
  const report = ({ object, outcome, reason }: ImportResult): void => {
    if (outcome === 'failed') process.stderr.write(`${object}: ${reason}\n`);
    else process.stdout.write(`${object} ${outcome}${dryRun ? ' (dry run)' : ''}\n`);
  };
  const allWell = await runImport({ ...describeHome(options), file, input: process.stdin, dryRun, report });
  if (!allWell) process.exitCode = 1;
}

async function compareOnce({ options, json }: Command & { kind: 'shadow' }): Promise<void> {
  const version = readVersion();
  const metrics = createServerMetrics(version);
  const report = await runShadow({ ...describeHome(options), firstPassword: undefined, metrics });
  process.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : formatShadowReport(report));
  const doAgree = [report, report.sets].every(({ total, counts }) => counts.agrees + counts.skipped === total);
  if (!doAgree) process.exitCode = 1;
}

/** Whether a command is there for what it prints. Others do something, and do it to its end whoever reads about it. */
function isForItsOutput({ kind }: Command): boolean {
  return kind !== 'up' && kind !== 'import' && kind !== 'tools-install';
}

/** Whoever reads no further, as `head` does, wants no more; but half of an answer on a full disk must not look like all of it. */
function endWithOutput(error: Error): void {
  if ('code' in error && error.code === 'EPIPE') process.exit();
  fail(1, `cannot write all of the output: ${describeSystemError(error)}`);
}

/** Where the home of a command is. */
function describeHome(options: UpOptions): OpenHomeOptions {
  const dataDir = resolve(options.data ?? findDefaultDataDir(process.env));
  return { options, dataDir, version: readVersion(), environment: process.env, log: commandLog() };
}

async function up({ options, warnings }: Command & { kind: 'up' }): Promise<void> {
  const isTerminal = process.stdout.isTTY;
  const format = options.logFormat === 'auto' ? (isTerminal ? 'text' : 'json') : options.logFormat;
  const log = createLogger({ level: options.logLevel, format, write: (line) => process.stdout.write(line) });
  const version = readVersion();
  const metrics = createServerMetrics(version);
  let ready = false;
  guardProcess({ log, metrics, isReady: () => ready });
  for (const warning of warnings) log.warn('environment', { warning });

  const dataDir = resolve(options.data ?? findDefaultDataDir(process.env));
  const giveUp = new AbortController();
  const starting = startUp({
    options,
    dataDir,
    version,
    environment: process.env,
    firstPassword: takeFirstPassword(),
    log,
    metrics,
    onLost(error) {
      // A process that lives on without its home would look well and do nothing.
      log.error('the home is lost, and only a new start finds out what is kept', { error });
      process.exit(1);
    },
    signal: giveUp.signal,
  });
  // A start may take a minute where a cluster does not answer, and whoever stops it does not want to wait for that.
  let stopReturningMemory = (): void => undefined;
  stopOnSignals(log, async () => {
    stopReturningMemory();
    giveUp.abort();
    const started = await starting.catch(() => undefined);
    await started?.stop();
  });
  const running = await starting.catch((error: unknown) => {
    if (giveUp.signal.aborted) return undefined;
    throw error;
  });
  if (running === undefined) return;
  stopReturningMemory = startReturningMemory(() => running.forget());
  ready = true;
  if (isTerminal)
    process.stdout.write(formatWelcome({ ...running, version, dataDir, docs: options.docs === 'on', command: findCommand() }));
  process.stdout.write(`ready ${running.url}\n`);
}

/** A command speaks through its output and its error line; only what went wrong on the way is worth more. */
function commandLog(): Logger {
  return createLogger({ level: 'warn', format: 'text', write: (line) => process.stderr.write(line) });
}

/** How this program is called: an installed one by its name, that of a checkout through npm. */
function findCommand(): string {
  return import.meta.url.endsWith('.ts') ? 'npm run -s fairway --' : 'fairway';
}

/** Taken out of the environment, so that no program that we start inherits it. */
function takeFirstPassword(): string | undefined {
  const password = process.env['FAIRWAY_ADMIN_PASSWORD'];
  delete process.env['FAIRWAY_ADMIN_PASSWORD'];
  if (password === undefined || password === '') return undefined;
  if (Buffer.byteLength(password) > passwordBytesMax)
    throw new UsageError(`FAIRWAY_ADMIN_PASSWORD: must have at most ${passwordBytesMax} bytes`);
  return password;
}

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function fail(exitCode: number, message: string): void {
  process.stderr.write(`fairway: ${message}\n`);
  process.exit(exitCode);
}
