import { builtinResources, builtinSchema, formatApiVersion } from '../../objects/index.ts';
import type { ApiResource } from '../../objects/index.ts';
import { builtinRules } from './builtin-rules.ts';
import { decodeBuiltin } from './decode-builtin.ts';
import type { KindDefinition, ScalePaths, StorageForm } from './kind.ts';
import { eventForm, horizontalPodAutoscalerForm } from './storage-forms.ts';

const SCALE: ScalePaths = { specReplicas: ['spec', 'replicas'], statusReplicas: ['status', 'replicas'], selector: ['spec', 'selector'] };

/** Kinds that are served in more than one form. */
const STORAGE_FORMS = new Map<string, StorageForm>([
  ['events.k8s.io/v1/Event', eventForm],
  ['autoscaling/v1/HorizontalPodAutoscaler', horizontalPodAutoscalerForm],
]);

/** The kinds that every Kubernetes cluster serves. */
export function builtinKinds(): readonly KindDefinition[] {
  return builtinResources.map(builtinKind);
}

function builtinKind(resource: ApiResource): KindDefinition {
  const { group, version, plural, kind, namespaced, singular, verbs, shortNames = [], categories = [], subresources = [] } = resource;
  const type = { group, version, plural, kind, namespaced };
  const schema = builtinSchema(formatApiVersion(type), kind);
  const storage = STORAGE_FORMS.get(`${group}/${version}/${kind}`);
  return {
    type,
    singular,
    shortNames,
    categories,
    verbs,
    subresources,
    isPreferred: !(group === 'autoscaling' && version === 'v1'),
    ...(schema && { schema }),
    ...(storage && { storage }),
    ...(subresources.includes('scale') && { scale: SCALE }),
    rules: { ...builtinRules(group, kind), ...(schema && { prune: (object, before) => decodeBuiltin(type, object, schema, before) }) },
  };
}
