import type { VersionService } from '../../contract/index.ts';
import type { Call } from '../call.ts';

/**
 * The release whose API this one speaks. Clients and scripts compare the server's version with their own, so the number must
 * be one they know; ours follows as build metadata, which comparisons of semantic versions leave out.
 */
const apiVersion = 'v3.5.6';

/** The names that Go programs, among them the stock clients, use for processors. */
const processorNames: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

export function createVersionService(fairwayVersion: string): VersionService<Call> {
  const version = `${apiVersion}+fairway.${fairwayVersion}`;
  return {
    // The rest would help a stranger to pick an attack, so only the version itself is public.
    Version: (_request, call) =>
      call.caller === undefined
        ? { Version: version }
        : {
            Version: version,
            Platform: `${process.platform}/${processorNames[process.arch] ?? process.arch}`,
            ExtraBuildInfo: `fairway ${fairwayVersion}, node ${process.version}`,
          },
  };
}
