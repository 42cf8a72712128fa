import { readFile } from 'node:fs/promises';
import { ApiError, Code } from '../../../base/index.ts';
import { withPrefix } from '../generators/describe-error.ts';
import { createProviderClient, type ProviderClient } from './http/provider-client.ts';
import type { ProviderContext } from './provider-context.ts';
import { readCertificates, type ConfigMapKeyRef, type ReferenceScope } from './read-references.ts';

/** How one provider is asked in one run. */
export interface ProviderAccess {
  readonly headers?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly insecure?: boolean | undefined;
  readonly caRef?: ConfigMapKeyRef | null | undefined;
  readonly allowLinkLocal?: boolean;
  /** Whether its address is that of an administrator, so that whatever it says may be shown. */
  readonly repeatsTexts?: boolean;
}

/** What a provider is opened with. */
export interface ProviderRun extends ReferenceScope {
  readonly context: ProviderContext;
  /** Closed when the run is over. */
  readonly clients: ProviderClient[];
}

export async function openProvider(run: ProviderRun, access: ProviderAccess): Promise<ProviderClient> {
  const { context, signal } = run;
  const { headers = {}, secrets = [], insecure = false, caRef, allowLinkLocal = false, repeatsTexts = false } = access;
  const certificates = [
    ...(await readRootFile(context.settings.current.parameters.appsetScmRootCaPath)),
    ...(await withPrefix('error fetching CA certificates from ConfigMap: ', () => readCertificates(context, caRef, run))),
  ];
  const trust = { certificates, insecure, allowLinkLocal };
  const client = createProviderClient({ ...context, headers, secrets, repeatsTexts, trust, signal });
  run.clients.push(client);
  return client;
}

/** Runs what asks providers, within its time, and leaves no connection behind. */
export async function runWithProvider<Result>(
  context: ProviderContext,
  scope: ReferenceScope,
  work: (run: ProviderRun) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController();
  const cancel = context.timers.schedule(context.limits.runMs, () => over.abort(new Error('the time for asking the provider is up')));
  const clients: ProviderClient[] = [];
  try {
    return await work({ ...scope, context, clients, signal: AbortSignal.any([scope.signal, over.signal]) });
  } finally {
    cancel();
    for (const client of clients) client.close();
  }
}

async function readRootFile(path: string): Promise<readonly string[]> {
  if (path === '') return [];
  try {
    return [await readFile(path, 'utf8')];
  } catch (error) {
    throw new ApiError(Code.FailedPrecondition, 'the file with certificates of providers cannot be read', { cause: error });
  }
}

/** `Basic …` */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
