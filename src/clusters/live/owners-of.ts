import type { ResourceType } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, parseApiVersion, type KubeObject } from '../../objects/index.ts';
import type { LiveOwner } from './live-row.ts';

/** What an object belongs to, beyond what it says itself. */
export interface Ownership {
  readonly owners: readonly LiveOwner[];
  /**
   * Names that tie the claims of a StatefulSet to it, because they do not name it as owner: `<template>-<set>`. A claim has one, a
   * set one for each template.
   */
  readonly claims: readonly string[];
}

const NONE: readonly never[] = Object.freeze([]);
const SERVICE_ACCOUNT_NAME = 'kubernetes.io/service-account.name';
const SERVICE_ACCOUNT_UID = 'kubernetes.io/service-account.uid';
const OPERATOR_GROUP = 'olm.operatorGroup';

export function ownersOf(object: KubeObject, type: ResourceType): Ownership {
  const references = object.metadata.ownerReferences ?? NONE;
  const owners = references.length === 0 ? impliedOwners(object, type) : references.map(readReference);
  return { owners, claims: claimsOf(object, type) };
}

function readReference({ apiVersion, kind, name, uid }: { apiVersion: string; kind: string; name: string; uid?: string }): LiveOwner {
  const group = parseApiVersion(apiVersion)?.group ?? '';
  return { group, kind, name, uid: uid === undefined || uid === '' ? undefined : uid };
}

/** Owners that an object has without naming them, by what everybody knows of its kind. */
function impliedOwners({ metadata, ...object }: KubeObject, { group, kind }: ResourceType): readonly LiveOwner[] {
  const { annotations = {}, name = '' } = metadata;
  if (group === '' && kind === 'Endpoints') return [{ group: '', kind: 'Service', name, uid: undefined }];
  if (group === '' && kind === 'Secret' && object['type'] === 'kubernetes.io/service-account-token') {
    const [owner, uid] = [annotations[SERVICE_ACCOUNT_NAME], annotations[SERVICE_ACCOUNT_UID]];
    return owner && uid ? [{ group: '', kind: 'ServiceAccount', name: owner, uid }] : NONE;
  }
  const operatorGroup = annotations[OPERATOR_GROUP];
  if (group === 'operators.coreos.com' && kind === 'ClusterServiceVersion' && operatorGroup) {
    return [{ group, kind: 'OperatorGroup', name: operatorGroup, uid: undefined }];
  }
  return NONE;
}

function claimsOf(object: KubeObject, { group, kind }: ResourceType): readonly string[] {
  const name = object.metadata.name ?? '';
  if (group === '' && kind === 'PersistentVolumeClaim') {
    const base = /^(.+)-\d+$/.exec(name)?.[1];
    return base === undefined ? NONE : [base];
  }
  if (group !== 'apps' || kind !== 'StatefulSet') return NONE;
  const templates = isJsonObject(object['spec']) ? object['spec']['volumeClaimTemplates'] : undefined;
  if (!isJsonArray(templates)) return NONE;
  return templates.flatMap((template) => {
    const metadata = isJsonObject(template) ? template['metadata'] : undefined;
    const templateName = isJsonObject(metadata) ? metadata['name'] : undefined;
    return typeof templateName === 'string' ? [`${templateName}-${name}`] : [];
  });
}
