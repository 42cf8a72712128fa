/** Runs beside the main thread, and can be ended: what users write may keep a parser busy for very long. */
import { parentPort } from 'node:worker_threads';
import { decodeImports, decodeManifests, decodeValue, ManifestError } from './decode-manifests.ts';
import type { DecodeJob, DecodeReply } from './manifest-reader.ts';

parentPort?.on('message', (job: DecodeJob) => {
  parentPort?.postMessage(answer(job));
});

function decode({ as, texts, limits, jsonnet }: DecodeJob): unknown {
  if (as === 'imports') return decodeImports(texts);
  return as === 'objects' ? decodeManifests(texts, limits, jsonnet) : decodeValue(texts, limits);
}

function answer(job: DecodeJob): DecodeReply {
  try {
    return { json: JSON.stringify(decode(job)) };
  } catch (error) {
    if (error instanceof ManifestError) return { refusal: error.message };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
