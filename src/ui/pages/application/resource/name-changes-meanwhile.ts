import { nameChanges } from '../../../design/index.ts';

interface LiveObject {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly status?: unknown;
}

/** What changed between two states of an object, both as JSON, in one line. What the cluster writes down by itself all the time does not count. */
export function nameChangesMeanwhile(before: string, now: string): string {
  return before === now ? '' : nameChanges(withoutNotes(before), withoutNotes(now));
}

function withoutNotes(json: string): unknown {
  const { status: _status, metadata = {}, ...object } = JSON.parse(json) as LiveObject;
  const { resourceVersion: _version, generation: _generation, managedFields: _owners, ...kept } = metadata;
  return { ...object, metadata: kept };
}
