import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, systemClock, systemTimers } from '../../src/base/index.ts';
import { createSources } from '../../src/sources/index.ts';
import type { Rendered, RenderRequest, RepositoryAccess, Sources, SourcesOptions } from '../../src/sources/index.ts';

export interface TestSources {
  readonly sources: Sources;
  readonly folder: string;
  /** Everything that was logged. */
  readonly logged: () => string;
  /** Resolves and renders a source for an application named `web`. */
  render(source: RenderRequest['source'], more?: Partial<RenderRequest>): Promise<Rendered>;
  /** The names of the objects that a source gives, in order. */
  names(source: RenderRequest['source'], more?: Partial<RenderRequest>): Promise<string[]>;
  close(): Promise<void>;
}

/** The room with a cache of its own; repositories may be folders unless the test says otherwise. */
export async function openTestSources(
  options: Partial<SourcesOptions> & { access?: readonly RepositoryAccess[] } = {},
): Promise<TestSources> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'sources-')));
  let logged = '';
  const write = (line: string): void => {
    logged += line;
  };
  const { access = [], ...rest } = options;
  const sources = createSources({
    folder,
    clock: systemClock,
    timers: systemTimers,
    log: createLogger({ level: 'debug', format: 'text', write }),
    credentialsFor: (url) => access.find((known) => known.url === url),
    allowFileRepositories: true,
    resultsSecret: () => Buffer.from('the secret of all tests'),
    tools: { searchPath: process.env['PATH'] ?? '' },
    ...rest,
  });
  const render = async (source: RenderRequest['source'], more: Partial<RenderRequest> = {}): Promise<Rendered> => {
    const application = { name: 'web', namespace: 'argocd', project: 'default' };
    const { revision } = await sources.resolve(source, { project: application.project, fresh: true });
    return await sources.render({ source, revision, application, destinationNamespace: 'prod', ...more });
  };
  return {
    sources,
    folder,
    logged: () => logged,
    render,
    names: async (source, more) => (await render(source, more)).objects.map((object) => object.metadata.name ?? ''),
    async close() {
      await sources.stop();
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
