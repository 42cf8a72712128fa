/** Runs beside the main thread, and can be ended: what users write may keep a parser busy for very long. */
import { parentPort } from 'node:worker_threads';
import { decodeManifests, decodeValue } from './decode-manifests.ts';
import { ManifestError } from './manifest-error.ts';
import type { DecodeJob, DecodeReply } from './manifest-reader.ts';

parentPort?.on('message', (job: DecodeJob) => {
  void answer(job).then((reply) => parentPort?.postMessage(reply));
});

async function decode({ as, texts, limits, jsonnet }: DecodeJob): Promise<unknown> {
  if (as === 'value') return decodeValue(texts, limits);
  if (as === 'objects' && jsonnet === undefined) return decodeManifests(texts, limits);
  // Few sources have programs, and what runs them takes longer to load than all the rest.
  const { evaluateProgram, findImports } = await import('../jsonnet/programs.ts');
  if (as === 'imports' || jsonnet === undefined) return findImports(texts);
  return decodeManifests(texts, limits, (name, path) => evaluateProgram(name, path, jsonnet));
}

async function answer(job: DecodeJob): Promise<DecodeReply> {
  try {
    return { json: JSON.stringify(await decode(job)) };
  } catch (error) {
    if (error instanceof ManifestError) return { refusal: error.message };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
