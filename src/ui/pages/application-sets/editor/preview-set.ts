import type { ApplicationSet } from '../../../../contract/gen/types.ts';
import { isRecord, postJson } from '../../../api/index.ts';

export type ChangeKind = 'create' | 'update' | 'delete' | 'refuse' | 'keep';

/** What would become of one application. */
export interface PreviewedChange {
  readonly name: string;
  readonly kind: ChangeKind;
  readonly message?: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Generators may ask slow providers. */
const PREVIEW_MS_MAX = 120_000;

/** What storing the set would do. Nothing is stored. */
export async function previewSet(set: ApplicationSet, signal?: AbortSignal): Promise<readonly PreviewedChange[]> {
  const { metadata, spec } = set;
  const answer = await postJson('/api/fairway/v1/applicationsets/preview', { metadata, spec }, { signal, timeoutMs: PREVIEW_MS_MAX });
  return isRecord(answer) && Array.isArray(answer['changes']) ? (answer['changes'] as readonly PreviewedChange[]) : [];
}
