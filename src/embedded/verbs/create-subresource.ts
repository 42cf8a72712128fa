import { formatTime, invalidValue, statusError } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { DeleteOptions, ResourceType } from '../../kube/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { methodNotAllowed, objectInvalid, objectNotFound, operationConflict } from '../refusals.ts';
import { listAt, numberAt, objectAt, textAt, withValueAt } from '../json-path.ts';
import { decodeInput, metadataOf } from './decode-input.ts';
import { deleteObject } from './delete.ts';
import { objectFacts } from './object-facts.ts';
import { sentKind } from './sent-kind.ts';
import { findObject } from './update.ts';
import { keyOf } from './verb-context.ts';
import type { EmbeddedWriteOptions, VerbContext } from './verb-context.ts';

const BINDING = sentKind({ group: '', version: 'v1', plural: 'bindings', kind: 'Binding', namespaced: true });
const EVICTION = sentKind({ group: 'policy', version: 'v1', plural: 'evictions', kind: 'Eviction', namespaced: true });
/** What older clients send is the same. */
const OLD_EVICTION = 'policy/v1beta1';
const PROPAGATIONS = ['Background', 'Foreground', 'Orphan'] as const;

/** A Binding that is posted by itself, and not below a Pod, binds the Pod of its name. */
export function isBinding({ group, plural }: Pick<ResourceType, 'group' | 'plural'>): boolean {
  return group === '' && plural === BINDING.type.plural;
}

/** What is posted below an object: the binding of a Pod to a node, or its eviction. */
export function createSubresource(context: VerbContext, kind: Kind, input: JsonObject, options: EmbeddedWriteOptions): JsonObject {
  const { name = '', namespace = '' } = metadataOf(input);
  const pod = findObject(context, kind, { name, namespace });
  if (pod === undefined) throw objectNotFound(kind.type, name);
  if (options.subresource === 'binding')
    bindPod(context, kind, pod, textAt(decodeInput(BINDING, input, options), 'target', 'name'), options);
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

/** The Eviction's own options of the deletion; a dry run may be asked for in them or of the request. */
function evictionOptions(input: JsonObject, options: EmbeddedWriteOptions): DeleteOptions {
  const sent = input['apiVersion'] === OLD_EVICTION ? { ...input, apiVersion: EVICTION.apiVersion } : input;
  const asked = objectAt(decodeInput(EVICTION, sent, options), 'deleteOptions');
  const gracePeriodSeconds = numberAt(asked, 'gracePeriodSeconds');
  const { propagationPolicy: policy } = asked;
  const propagation = PROPAGATIONS.find((known) => known === policy);
  const { uid, resourceVersion } = objectAt(asked, 'preconditions');
  const dryRun = listAt(asked, 'dryRun');
  const refused = [
    ...dryRun.filter((value) => value !== 'All').map((value) => invalidValue('deleteOptions.dryRun', value, 'must be All')),
    ...(policy === undefined || propagation !== undefined
      ? []
      : [invalidValue('deleteOptions.propagationPolicy', policy, `must be one of ${PROPAGATIONS.join(', ')}`)]),
  ];
  if (refused.length > 0) throw objectInvalid(EVICTION.type, metadataOf(input).name ?? '', refused);
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(propagation !== undefined && { propagation }),
    preconditions: { ...(typeof uid === 'string' && { uid }), ...(typeof resourceVersion === 'string' && { resourceVersion }) },
    ...((dryRun.length > 0 || options.dryRun === true) && { dryRun: true }),
  };
}
