import { formatTime, statusError } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { DeleteOptions } from '../../kube/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { methodNotAllowed, objectNotFound, operationConflict } from '../refusals.ts';
import { listAt, objectAt, textAt, withValueAt } from '../json-path.ts';
import { metadataOf } from './decode-input.ts';
import { deleteObject } from './delete.ts';
import { objectFacts } from './object-facts.ts';
import { findObject } from './update.ts';
import { keyOf } from './verb-context.ts';
import type { EmbeddedWriteOptions, VerbContext } from './verb-context.ts';

/** What is posted below an object: the binding of a Pod to a node, or its eviction. */
export function createSubresource(context: VerbContext, kind: Kind, input: JsonObject, options: EmbeddedWriteOptions): JsonObject {
  const { name = '', namespace = '' } = metadataOf(input);
  const pod = findObject(context, kind, { name, namespace });
  if (pod === undefined) throw objectNotFound(kind.type, name);
  if (options.subresource === 'binding') bindPod(context, kind, pod, textAt(input, 'target', 'name'), options);
  // Disruption budgets are not looked at: nothing is disrupted where nothing runs.
  else if (options.subresource === 'eviction') deleteObject(context, kind, { name, namespace }, evictionOptions(input, options));
  else throw methodNotAllowed();
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

function bindPod(context: VerbContext, kind: Kind, pod: JsonObject, node: string, { dryRun }: EmbeddedWriteOptions): void {
  const { name = '', namespace = '' } = metadataOf(pod);
  const known = textAt(pod, 'spec', 'nodeName');
  if (node === '') throw statusError('BadRequest', 'the binding names no node');
  if (known !== '')
    throw operationConflict({ group: '', plural: 'pods/binding' }, name, `pod ${name} is already assigned to node "${known}"`);
  if (dryRun === true) return;
  const nowMs = context.clock.nowMs();
  const condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: formatTime(nowMs) };
  const others = listAt(pod, 'status', 'conditions').filter((other) => textAt(other, 'type') !== 'PodScheduled');
  const bound = withValueAt(withValueAt(pod, ['spec', 'nodeName'], node), ['status', 'conditions'], [...others, condition]);
  context.store.put(keyOf(kind, { name, namespace }), bound, objectFacts(kind, bound, nowMs));
}

function evictionOptions(eviction: JsonObject, { dryRun }: EmbeddedWriteOptions): DeleteOptions {
  const { gracePeriodSeconds } = objectAt(eviction, 'deleteOptions');
  return { ...(typeof gracePeriodSeconds === 'number' && { gracePeriodSeconds }), ...(dryRun === true && { dryRun }) };
}
