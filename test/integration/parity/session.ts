import type { KubeApi, Patch, ResourceType, WatchEvent, WriteOptions } from '../../../src/kube/index.ts';
import { canonicalJson, isJsonArray, isJsonObject, StatusError } from '../../../src/objects/index.ts';
import type { JsonObject, JsonValue, KubeObject, Status } from '../../../src/objects/index.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** What was asked and what came of it, in order. */
export type Transcript = Record<string, JsonValue>;

/** An object to be sent, which need not be right. */
interface Draft {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: object;
  readonly [field: string]: unknown;
}

/** One run of a scenario on one API. */
export interface Session {
  readonly api: KubeApi;
  readonly namespace: string;
  /** A name that nothing else has on this API, for what is cluster-scoped; transcripts show it as it is here. */
  readonly unique: string;
  /** Notes the answer, or the refusal. */
  readonly note: (label: string, work: Promise<unknown>) => Promise<void>;
  readonly create: (type: ResourceType, object: Draft, options?: WriteOptions) => Promise<KubeObject>;
  readonly patch: (type: ResourceType, name: string, patch: Patch, options?: WriteOptions) => Promise<KubeObject>;
  /** Waits until an object is gone. */
  readonly gone: (type: ResourceType, name: string) => Promise<void>;
  readonly transcript: Transcript;
}

export const MANAGER = 'parity';

export function createSession(raw: KubeApi, namespace: string, unique: string): Session {
  const api = withManagedFields(raw);
  const transcript: Transcript = {};
  const clean = (value: unknown): JsonValue => normalise(value, namespace, unique);
  const place = (type: ResourceType) => (type.namespaced ? { namespace } : {});
  return {
    api,
    namespace,
    unique,
    transcript,
    note: async (label, work) => {
      try {
        transcript[label] = clean(await work);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        transcript[label] = clean({ refused: inOrder(error.status) });
      }
    },
    create: (type, object, options) => {
      const placed = { ...object, metadata: { ...place(type), ...object.metadata } } as unknown as KubeObject;
      return api.create(type, placed, { fieldManager: MANAGER, keepManagedFields: true, ...options });
    },
    patch: (type, name, patch, options) =>
      api.patch(type, { ...place(type), name }, patch, { fieldManager: MANAGER, keepManagedFields: true, ...options }),
    gone: async (type, name) => {
      await waitUntil(async () => {
        try {
          await api.get(type, { ...place(type), name });
          return false;
        } catch (error) {
          if (error instanceof StatusError && error.reason === 'NotFound') return true;
          throw error;
        }
      });
    },
  };
}

/** The fields of a schema are checked in no particular order, and so are the causes. */
function inOrder(status: Status): Status {
  const causes = status.details?.causes ?? [];
  if (causes.length < 2) return status;
  const sorted = causes.map((cause) => JSON.stringify(cause)).sort();
  const message = status.message?.replace(/ is invalid: \[.*\]$/s, ' is invalid: the causes') ?? '';
  return {
    ...status,
    message,
    details: { ...status.details, causes: sorted.map((cause) => JSON.parse(cause) as (typeof causes)[number]) },
  };
}

/** The first events of a watch, as many as are wanted. */
export async function takeEvents(events: AsyncIterable<WatchEvent>, count: number): Promise<readonly WatchEvent[]> {
  const taken: WatchEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

/** Who owns which field is compared wherever an API can be asked for it, which is everywhere but in the answers to deletes. */
function withManagedFields(api: KubeApi): KubeApi {
  const keep = { keepManagedFields: true };
  return {
    ...api,
    get: (type, ref, options) => api.get(type, ref, { ...keep, ...options }),
    list: (type, options) => api.list(type, { ...keep, ...options }),
    watch: (type, options) => api.watch(type, { ...keep, ...options }),
    create: (type, object, options) => api.create(type, object, { ...keep, ...options }),
    update: (type, object, options) => api.update(type, object, { ...keep, ...options }),
    patch: (type, ref, patch, options) => api.patch(type, ref, patch, { ...keep, ...options }),
    delete: async (type, ref, options) => {
      const deleted = await api.delete(type, ref, options);
      const { managedFields: _fields, ...metadata } = deleted.metadata;
      return { ...deleted, metadata } as typeof deleted;
    },
  };
}

const CHANGING: Readonly<Record<string, string>> = {
  uid: 'UID',
  resourceVersion: 'VERSION',
  creationTimestamp: 'TIME',
  deletionTimestamp: 'TIME',
  lastTransitionTime: 'TIME',
  time: 'TIME',
  continue: 'TOKEN',
};

/** Without what differs between two runs on the same API. */
function normalise(value: unknown, namespace: string, unique: string): JsonValue {
  const clean = (text: string): string =>
    text
      .replace(WHOLE_OBJECT, '"OBJECT": ')
      .replace(GO_DIFFERENCE, '')
      .replaceAll(namespace, 'NAMESPACE')
      .replaceAll(unique, 'unique')
      .replaceAll(UUID, 'UID');
  const walk = (node: JsonValue): JsonValue => {
    if (typeof node === 'string') return clean(node);
    if (isJsonArray(node)) return node.filter((item) => !isOfController(item)).map(walk);
    if (!isJsonObject(node)) return node;
    return Object.fromEntries(
      Object.entries(withoutWork(node)).map(([key, child]) => {
        const changing = CHANGING[key];
        if (changing !== undefined && typeof child === 'string' && child !== '') return [clean(key), changing];
        const walked = walk(child);
        return [clean(key), key === 'managedFields' && isJsonArray(walked) ? walked.toSorted(byText) : walked];
      }),
    );
  };
  return walk(JSON.parse(JSON.stringify(value ?? null)) as JsonValue);
}

/** Owners are ordered by the seconds of their writes, which fall differently in each run. */
function byText(left: JsonValue, right: JsonValue): number {
  return canonicalJson(left) < canonicalJson(right) ? -1 : 1;
}

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/** A refusal may show what differs, as Go prints it. */
const GO_DIFFERENCE = /(?<= for bound claims)\n[^]*$/;

/** A refusal may quote the object, in whichever order its fields are. */
const WHOLE_OBJECT = /"\{\\"apiVersion.*\}": /;

/** What controllers make of a Deployment while it is looked at is another story. */
function withoutWork(node: JsonObject): JsonObject {
  if (node['kind'] !== 'Deployment') return node;
  const { status: _status, ...rest } = node;
  return rest;
}

function isOfController(node: JsonValue): boolean {
  return isJsonObject(node) && node['manager'] === 'kube-controller-manager' && node['subresource'] === 'status';
}
