/** Runs beside the main thread, and can be ended: what users write may keep a parser busy for very long. */
import { parentPort } from 'node:worker_threads';
import { decodeManifests, decodeValue, ManifestError } from './decode-manifests.ts';
import type { DecodeJob, DecodeReply } from './manifest-reader.ts';

parentPort?.on('message', (job: DecodeJob) => {
  parentPort?.postMessage(answer(job));
});

function answer({ as, texts, limits }: DecodeJob): DecodeReply {
  try {
    return { json: JSON.stringify(as === 'objects' ? decodeManifests(texts, limits) : decodeValue(texts, limits)) };
  } catch (error) {
    if (error instanceof ManifestError) return { refusal: error.message };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
