import { annotations } from '../../engine/index.ts';
import type { KubeApi, ResourceType } from '../../kube/index.ts';
import {
  decodeFieldsV1,
  encodeFieldsV1,
  isJsonArray,
  isStatusError,
  unionFieldSets,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type ManagedFieldsEntry,
} from '../../objects/index.ts';
import { FIELD_MANAGER } from './controller-context.ts';

export interface MigrationInput {
  readonly api: KubeApi;
  readonly type: ResourceType;
  readonly live: KubeObject;
  /** Under which name the object was applied before. */
  readonly manager: string;
  readonly signal: AbortSignal;
}

/**
 * Makes the fields of an object that was applied by a client our own before the server applies it: otherwise those that are taken out of
 * its manifest later would stay for ever, as the former manager still wants them. Costs a request only where an object has been applied by
 * a client, and another one only once.
 */
export async function migrateOwnership({ api, type, live, manager, signal }: MigrationInput): Promise<void> {
  if (live.metadata.annotations?.[annotations.lastApplied] === undefined) return;
  const { namespace, name = '' } = live.metadata;
  const ref = { name, ...(namespace && { namespace }) };
  try {
    const { metadata } = await api.get(type, ref, { keepManagedFields: true, signal });
    const managedFields = planMigration(entriesOf(metadata['managedFields' as keyof typeof metadata]), manager);
    if (managedFields === undefined) return;
    const operations = [
      { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion ?? '' },
      { op: 'replace', path: '/metadata/managedFields', value: managedFields as unknown as JsonValue },
    ];
    await api.patch(type, ref, { type: 'json', operations }, { fieldManager: FIELD_MANAGER, signal });
  } catch (error) {
    // It is gone, or somebody writes to it at this moment: the next sync takes the fields over.
    if (!isStatusError(error, 'NotFound', 'Conflict', 'Invalid')) throw error;
  }
}

/** The owners with the fields of a former one as ours; undefined where it owns nothing. */
export function planMigration(entries: readonly ManagedFieldsEntry[], manager: string): readonly ManagedFieldsEntry[] | undefined {
  const isFormer = ({ manager: own, operation, subresource }: ManagedFieldsEntry): boolean =>
    operation === 'Update' && !subresource && (own === manager || own === FIELD_MANAGER);
  const isOurs = ({ manager: own, operation, subresource }: ManagedFieldsEntry): boolean =>
    operation === 'Apply' && !subresource && own === FIELD_MANAGER;
  const former = entries.filter(isFormer);
  const [first] = former;
  if (first === undefined) return undefined;
  const taken = [...former, ...entries.filter(isOurs)].map(({ fieldsV1 }) => decodeFieldsV1(fieldsV1 as JsonValue | undefined));
  const fields = encodeFieldsV1(taken.reduce(unionFieldSets));
  const ours: ManagedFieldsEntry = { ...first, manager: FIELD_MANAGER, operation: 'Apply', fieldsV1: fields };
  return [...entries.filter((entry) => !isFormer(entry) && !isOurs(entry)), ours];
}

function entriesOf(value: unknown): readonly ManagedFieldsEntry[] {
  return isJsonArray(value as JsonValue) ? (value as readonly JsonObject[] as unknown as readonly ManagedFieldsEntry[]) : [];
}
