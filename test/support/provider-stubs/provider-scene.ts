/** Generators that ask stubs of providers, on an embedded home. */
import type { JsonObject } from '../../../src/objects/index.ts';
import { applicationSetFunctions, formatValue, GoList, GoMap, type FunctionLibrary, type GoAny } from '../../../src/template/index.ts';
import { openApplicationPlane, type ApplicationPlane } from '../application-plane.ts';
import { waitUntil } from '../wait-until.ts';

/** What is behind the door of the controllers, handed in by tests that stand there themselves. */
export interface SceneTools<Options> {
  readonly createGenerators: (options: Options) => Readonly<Record<string, { generate: (request: never) => Promise<readonly GoMap[]> }>>;
  readonly createRenderText: (options: {
    readonly goTemplate: boolean;
    readonly goTemplateOptions: readonly string[];
    readonly functions: FunctionLibrary;
  }) => unknown;
}

export interface ProviderScene<Options> {
  readonly plane: ApplicationPlane;
  /** All sets of parameters, as plain values. */
  generate(key: string, spec: object, more?: GenerateOptions<Options>): Promise<Record<string, unknown>[]>;
  store(kind: 'Secret' | 'ConfigMap', name: string, data: Readonly<Record<string, string>>, labels?: Record<string, string>): Promise<void>;
  /** Null takes the setting away. */
  setParameter(key: string, value: string | null): Promise<void>;
  close(): Promise<void>;
}

export interface GenerateOptions<Options> {
  readonly goTemplate?: boolean;
  readonly strictTokens?: boolean;
  readonly namespace?: string;
  readonly signal?: AbortSignal;
  /** Generators of their own, with other limits than those of the scene. */
  readonly options?: Partial<Options>;
}

const namespace = 'argocd';

export async function openProviderScene<Options>(
  { createGenerators, createRenderText }: SceneTools<Options>,
  options: Partial<Options> = {},
): Promise<ProviderScene<Options>> {
  const plane = await openApplicationPlane();
  const base = { ...plane.context, ...options };
  const generators = createGenerators(base as unknown as Options);
  const parameters = new Map<string, string>();
  const typeOf = (kind: string) => ({ group: '', version: 'v1', plural: `${kind.toLowerCase()}s`, kind, namespaced: true });
  return {
    plane,
    async generate(key, spec, more = {}) {
      const { goTemplate = false, strictTokens = false, signal = new AbortController().signal } = more;
      const table = more.options === undefined ? generators : createGenerators({ ...base, ...more.options } as unknown as Options);
      const request = {
        spec,
        applicationSet: { metadata: { name: 'set', namespace: more.namespace ?? namespace }, spec: {} },
        goTemplate,
        renderText: createRenderText({ goTemplate, goTemplateOptions: [], functions: applicationSetFunctions() }),
        strictTokens,
        fresh: false,
        signal,
      };
      const sets = (await table[key]?.generate(request as never)) ?? [];
      return sets.map((set) => plain(set) as Record<string, unknown>);
    },
    async store(kind, name, data, labels = {}) {
      const content: JsonObject = kind === 'Secret' ? { stringData: data } : { data };
      await plane.home.embedded.create(typeOf(kind), { apiVersion: 'v1', kind, metadata: { name, namespace, labels }, ...content });
    },
    async setParameter(key, value) {
      // What changes nothing is not heard of either.
      if ((parameters.get(key) ?? null) === value) return;
      if (value === null) parameters.delete(key);
      else parameters.set(key, value);
      const before = plane.settings.current;
      const ref = { namespace, name: 'argocd-cmd-params-cm' };
      await plane.home.embedded.patch(typeOf('ConfigMap'), ref, { type: 'merge', body: { data: { [key]: value } } });
      await waitUntil(() => plane.settings.current !== before);
    },
    close: () => plane.close(),
  };
}

/** Go's values as those of JavaScript. */
function plain(value: GoAny): unknown {
  if (value instanceof GoMap) return Object.fromEntries([...value.entries].map(([key, item]) => [key, plain(item)]));
  if (value instanceof GoList) return value.items.map(plain);
  return value === null || typeof value !== 'object' ? value : Number(formatValue(value));
}
