import { hash } from 'node:crypto';
import { formatApiVersion } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { HttpReply } from '../http.ts';
import { openApiV2 } from './open-api-v2.ts';
import { encodeOpenApi } from './protobuf/encode-open-api.ts';
import { jsonReply, pathNotFound } from './replies.ts';
import type { ServedApi } from './served-api.ts';

/** Where each group version's document is; the hash in its address tells a client when it has to read it again. */
export async function openApiIndex(api: ServedApi, prefix: string): Promise<JsonObject> {
  const { resources } = await api.discover();
  const versions = [...new Set(resources.map(formatApiVersion))];
  const known = api.openApiHashes?.();
  const entries = await Promise.all(
    versions.map(async (groupVersion) => {
      const digest = known?.get(groupVersion) ?? hash('sha256', JSON.stringify(await api.openApi(groupVersion)) ?? '', 'hex').toUpperCase();
      const name = `${groupVersion.includes('/') ? 'apis' : 'api'}/${groupVersion}`;
      return [name, { serverRelativeURL: `${prefix}/openapi/v3/${name}?hash=${digest}` }] as const;
    }),
  );
  return { paths: Object.fromEntries(entries) };
}

export async function openApiDocument(api: ServedApi, groupVersion: string): Promise<HttpReply> {
  const document = await api.openApi(groupVersion);
  if (document === undefined) throw pathNotFound();
  return jsonReply(JSON.stringify(document));
}

/** As clients ask for it, and as it is answered: the name that they use is no valid content type. */
const PROTOBUF_ASKED = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** Made for each who asks: they are few, and it is large. */
export async function olderOpenApiDocument(api: ServedApi, accept = ''): Promise<HttpReply> {
  const document = await openApiV2(api);
  if (!accept.includes(PROTOBUF_ASKED) && !accept.includes(PROTOBUF)) return jsonReply(JSON.stringify(document));
  return { status: 200, headers: { 'content-type': PROTOBUF, 'cache-control': 'no-cache, private' }, body: encodeOpenApi(document) };
}
