import { ApiError, Code, trimEndOf } from '../../../base/index.ts';
import { isJsonObject, isStatusError, type JsonObject, type JsonValue, type KubeObject } from '../../../objects/index.ts';
import { fromJson, type GoAny, type GoMap } from '../../../template/index.ts';
import { withPrefix } from '../generators/describe-error.ts';
import { flatten } from '../generators/flatten.ts';
import type { Generator, GeneratorSpec } from '../generators/generator.ts';
import { createRoom, type Room } from '../generators/room.ts';
import { parametersOf, withValues } from '../generators/values.ts';
import { requireList, requireObject, unexpected, valueAt } from './answer-fields.ts';
import { ProviderError } from './http/provider-error.ts';
import { openProvider, runWithProvider, type ProviderRun } from './open-provider.ts';
import type { ProviderContext } from './provider-context.ts';
import { configMapType, dataOf, secretType } from './read-references.ts';

const defaultRequeueMs = 1_800_000;
const mainSecret = 'argocd-secret';
/** Of what a plugin gives; deeper is a mistake or an attack. */
const depthMax = 100;

/** Yields what a server that somebody wrote for it answers. */
export function createPluginGenerator(context: ProviderContext): Generator<'plugin'> {
  return {
    requeueAfterMs: ({ requeueAfterSeconds }) => (requeueAfterSeconds === undefined ? defaultRequeueMs : requeueAfterSeconds * 1_000),
    async generate({ spec, applicationSet, goTemplate, renderText, strictTokens, signal }) {
      const scope = { namespace: context.namespace, strictTokens, signal };
      const input = { parameters: (spec.input?.parameters ?? {}) as JsonObject };
      const found = await runWithProvider(context, scope, async (run) => {
        const plugin = await withPrefix('error getting plugin from generator: ', () => readPlugin(run, spec));
        return withPrefix('error listing params: ', () => askPlugin(run, plugin, applicationSet.metadata.name ?? '', input));
      });
      const generator: [string, GoAny] = ['generator', fromJson({ input: { parameters: input.parameters } })];
      return withPrefix('error generating params: ', async () =>
        found.map((object) => {
          const own = fromJson(object) as GoMap;
          const entries: Iterable<[string, GoAny]> = goTemplate ? own.entries : flatten(own);
          return withValues(parametersOf(entries, [generator]), spec.values, { goTemplate, renderText });
        }),
      );
    },
  };
}

interface Plugin {
  readonly baseUrl: string;
  readonly token: string;
  readonly timeoutMs: number | undefined;
}

async function readPlugin(run: ProviderRun, { configMapRef }: GeneratorSpec<'plugin'>): Promise<Plugin> {
  const { home, namespace } = run.context;
  const configMap = await withPrefix('error fetching ConfigMap: ', async () => {
    const found = await home.get(configMapType, { namespace, name: configMapRef.name }, { signal: run.signal });
    for (const key of ['baseUrl', 'token']) if (!dataOf(found, key)) throw new ApiError(Code.NotFound, `${key} not found in ConfigMap`);
    return found;
  });
  const token = await withPrefix('error fetching Secret token: ', () => readToken(run, dataOf(configMap, 'token') ?? ''));
  return { baseUrl: dataOf(configMap, 'baseUrl') ?? '', token, timeoutMs: readTimeout(configMap) };
}

function readTimeout(configMap: KubeObject): number | undefined {
  const text = dataOf(configMap, 'requestTimeout');
  if (text === undefined) return undefined;
  if (!/^[+-]?\d{1,9}$/.test(text))
    throw new ApiError(Code.InvalidArgument, `error set requestTimeout : ${JSON.stringify(text)} is not a number`);
  return Number(text) > 0 ? Number(text) * 1_000 : undefined;
}

/** `$key` is a key of argocd-secret, `$secret:key` one of another Secret beside it. A key that is not there stands for itself. */
async function readToken({ context: { home, namespace }, signal }: ProviderRun, reference: string): Promise<string> {
  if (!reference.startsWith('$'))
    throw new ApiError(Code.InvalidArgument, "token is empty, or does not reference a secret key starting with '$'");
  const [first = '', second] = reference.slice(1).split(':');
  const [name, key] = second === undefined ? [mainSecret, first] : [first, second];
  try {
    const content = dataOf(await home.get(secretType, { namespace, name }, { signal }), key);
    return (content === undefined ? `$${key}` : Buffer.from(content, 'base64').toString()).trim();
  } catch (error) {
    if (!isStatusError(error)) throw error;
    throw new ApiError(Code.NotFound, `error fetching secret ${namespace}/${name}: ${error.message}`, { cause: error });
  }
}

async function askPlugin(run: ProviderRun, plugin: Plugin, applicationSetName: string, input: JsonObject): Promise<readonly JsonObject[]> {
  const { baseUrl, token, timeoutMs } = plugin;
  const client = await openProvider(run, { headers: { authorization: `Bearer ${token}` }, secrets: [token], repeatsTexts: true });
  return withPrefix(`error get api '${applicationSetName}': `, async () => {
    const { json } = await client
      .ask({
        method: 'POST',
        url: `${trimEndOf(baseUrl, '/')}/api/v1/getparams.execute`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ applicationSetName, input }),
        ...(timeoutMs !== undefined && { requestMs: timeoutMs }),
      })
      .catch(tellRefusal);
    const parameters = valueAt(json, 'output', 'parameters');
    if (json === undefined || (isJsonObject(json) && (parameters === undefined || parameters === null))) return [];
    const room = createRoom();
    return requireList(parameters).map((item) => checkSize(requireObject(item), room));
  });
}

/** In the words that users of plugins know. */
function tellRefusal(error: unknown): never {
  if (!(error instanceof ProviderError) || error.status === undefined || error.status < 400) throw error;
  throw new ProviderError(`API error with status code ${error.status}: ${error.detail || error.message}`, {
    status: error.status,
    cause: error,
  });
}

function checkSize(object: JsonObject, room: Room): JsonObject {
  const visit = (value: JsonValue, depth: number): void => {
    room.take(1);
    if (depth > depthMax) throw unexpected(`it is more than ${depthMax} levels deep`);
    if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) visit(item as JsonValue, depth + 1);
  };
  visit(object, 0);
  return object;
}
