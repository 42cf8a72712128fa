import { messageCodec, type VersionService } from '../../contract/index.ts';
import type { Call } from '../call.ts';
import { attachEncoded } from '../encoded.ts';

/**
 * The release whose API this one speaks. Clients and scripts compare the server's version with their own, so the number must
 * be one they know; ours follows as build metadata, which comparisons of semantic versions leave out.
 */
const apiVersion = 'v3.5.6';

/** The names that Go programs, among them the stock clients, use for processors. */
const processorNames: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

export function createVersionService(fairwayVersion: string): VersionService<Call> {
  const version = { Version: `${apiVersion}+fairway.${fairwayVersion}` };
  // They never change, so each is encoded once.
  const brief = withEncoded(version);
  const whole = withEncoded({
    ...version,
    Platform: `${process.platform}/${processorNames[process.arch] ?? process.arch}`,
    ExtraBuildInfo: `fairway ${fairwayVersion}, node ${process.version}`,
  });
  // The rest would help a stranger to pick an attack, so only the version itself is public.
  return { Version: (_request, call) => (call.caller === undefined ? brief : whole) };
}

type VersionMessage = Awaited<ReturnType<VersionService<Call>['Version']>>;

function withEncoded(message: VersionMessage): VersionMessage {
  const codec = messageCodec('version.VersionMessage');
  return attachEncoded(message, { protobuf: codec.encode({ ...message }), json: JSON.stringify(codec.toJson({ ...message })) });
}
