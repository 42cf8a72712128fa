import type { Logger } from '../../base/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import { formatTime, parseTime, textAt, type JsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import type { LiveHealth, LiveOwner, LiveRow } from './live-row.ts';
import type { LiveRules } from './live-rules.ts';
import { ownersOf } from './owners-of.ts';

const IGNORE_UPDATES = 'argocd.argoproj.io/ignore-resource-updates';

/** A row with what only the cache itself looks at. There may be a hundred thousand of them: what is seldom asked for is packed. */
export class StoredRow implements LiveRow {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly owners: readonly LiveOwner[];
  /** See `Ownership`. */
  readonly claims: readonly string[];
  readonly instance: string;
  /** The node that a pod runs on; empty for all else. */
  readonly node: string;
  readonly health: LiveHealth | undefined;
  readonly body: KubeObject | undefined;
  /** 0 where it is not known. */
  readonly #createdAtSeconds: number;
  /** As JSON text, a third of the size; empty where there is nothing. */
  readonly #facts: string;

  constructor(
    row: Omit<LiveRow, 'createdAt' | 'facts'> & { readonly claims: readonly string[]; readonly node: string },
    packed: { readonly createdAt: string | null | undefined; readonly facts: JsonValue | undefined },
  ) {
    this.type = row.type;
    this.namespace = row.namespace;
    this.name = row.name;
    this.uid = row.uid;
    this.resourceVersion = row.resourceVersion;
    this.owners = row.owners;
    this.claims = row.claims;
    this.instance = row.instance;
    this.node = row.node;
    this.health = row.health;
    this.body = row.body;
    this.#createdAtSeconds = (parseTime(packed.createdAt ?? '') ?? 0) / 1000;
    this.#facts = packed.facts === undefined ? '' : JSON.stringify(packed.facts);
  }

  get createdAt(): string {
    return this.#createdAtSeconds === 0 ? '' : formatTime(this.#createdAtSeconds * 1000);
  }

  get facts(): JsonValue | undefined {
    return this.#facts === '' ? undefined : (JSON.parse(this.#facts) as JsonValue);
  }
}

export interface RowMakerOptions {
  readonly type: ResourceType;
  readonly rules: LiveRules;
  readonly log: Logger;
  /** The same text for the same namespace, application or kind, so that it is kept once. */
  readonly shareText: (text: string) => string;
  /** What other children of an owner keep of it, where there are any. */
  readonly findOwners: (uid: string) => readonly LiveOwner[] | undefined;
}

/** Makes rows of the objects of one kind. A rule that throws costs what it would have said, and is reported once for the kind. */
export function createRowMaker({ type, rules, log, shareText, findOwners }: RowMakerOptions): (object: KubeObject) => StoredRow {
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

  /** The children of one owner keep one list among them. */
  function share(owners: readonly LiveOwner[]): readonly LiveOwner[] {
    const [owner, another] = owners;
    if (owner === undefined) return owners;
    const known = owner.uid === undefined || another !== undefined ? undefined : findOwners(owner.uid);
    if (known !== undefined && isSameOwner(known[0], owner) && known.length === 1) return known;
    return owners.map((one) => ({ ...one, group: shareText(one.group), kind: shareText(one.kind) }));
  }

  return (object) => {
    const { metadata } = object;
    const { owners, claims } = ownersOf(object, type);
    // Whatever an object with an owner says of applications, it copied from its owner.
    const isRoot = (metadata.ownerReferences ?? []).length === 0;
    const instance = isRoot ? (ask((one) => rules.instanceOf(one), object) ?? '') : '';
    const row = {
      type,
      namespace: shareText(metadata.namespace ?? ''),
      name: metadata.name ?? '',
      uid: metadata.uid ?? '',
      resourceVersion: metadata.resourceVersion ?? '',
      owners: share(owners),
      claims,
      instance: instance === '' ? '' : shareText(instance),
      node: shareText(nodeOf(object, type)),
      health: ask((one) => rules.healthOf(one), object),
      body: instance !== '' || isNoisy(object) ? object : undefined,
    };
    return new StoredRow(row, { createdAt: metadata.creationTimestamp, facts: ask((one) => rules.factsOf(one), object) });
  };
}

function nodeOf(object: KubeObject, { group, kind }: ResourceType): string {
  return group === '' && kind === 'Pod' ? textAt(object as unknown as JsonObject, 'spec', 'nodeName') : '';
}

/** Whose updates are to be held against settings, though no application manages it: that needs the version before. */
function isNoisy({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[IGNORE_UPDATES] === 'true';
}

function isSameOwner(one: LiveOwner | undefined, { group, kind, name }: LiveOwner): boolean {
  return one?.group === group && one.kind === kind && one.name === name;
}
