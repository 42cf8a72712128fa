import type { Application, ManifestResponse } from '../../contract/gen/types.ts';
import { isRecord, postJson } from '../api/index.ts';

const RENDER_TIMEOUT_MS = 180_000;

/** What an application renders to, as it is given; it need not exist. Secrets come masked. */
export async function renderApplication(
  application: Pick<Application, 'metadata' | 'spec'>,
  signal?: AbortSignal,
): Promise<ManifestResponse> {
  const answer = await postJson('/api/fairway/v1/render', application, { signal, timeoutMs: RENDER_TIMEOUT_MS });
  return isRecord(answer) ? (answer as unknown as ManifestResponse) : {};
}
