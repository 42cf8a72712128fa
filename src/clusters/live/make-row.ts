import type { Logger } from '../../base/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { LiveRow } from './live-row.ts';
import type { LiveRules } from './live-rules.ts';
import { ownersOf } from './owners-of.ts';

/** A row with what only the cache itself looks at. */
export interface StoredRow extends LiveRow {
  /** See `Ownership`. */
  readonly claims: readonly string[];
}

export interface RowMakerOptions {
  readonly type: ResourceType;
  readonly rules: LiveRules;
  readonly log: Logger;
  /** The same text for the same namespace, so that it is kept once. */
  readonly shareText: (text: string) => string;
}

/** Makes rows of the objects of one kind. A rule that throws costs what it would have said, and is reported once for the kind. */
export function createRowMaker({ type, rules, log, shareText }: RowMakerOptions): (object: KubeObject) => StoredRow {
  let reported = false;
  function ask<Answer>(rule: (object: KubeObject) => Answer | undefined, object: KubeObject): Answer | undefined {
    try {
      return rule(object);
    } catch (error) {
      if (!reported) log.error('A rule failed on a live object', { kind: type.kind, group: type.group, error });
      reported = true;
      return undefined;
    }
  }

  return (object) => {
    const { metadata } = object;
    const { owners, claims } = ownersOf(object, type);
    // Whatever an object with an owner says of applications, it copied from its owner.
    const isRoot = (metadata.ownerReferences ?? []).length === 0;
    const instance = isRoot ? (ask((one) => rules.instanceOf(one), object) ?? '') : '';
    return {
      type,
      namespace: shareText(metadata.namespace ?? ''),
      name: metadata.name ?? '',
      uid: metadata.uid ?? '',
      resourceVersion: metadata.resourceVersion ?? '',
      createdAt: metadata.creationTimestamp ?? '',
      owners,
      instance: instance === '' ? '' : shareText(instance),
      health: ask((one) => rules.healthOf(one), object),
      facts: ask((one) => rules.factsOf(one), object),
      body: instance === '' ? undefined : object,
      claims,
    };
  };
}
