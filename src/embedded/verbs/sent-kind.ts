import { builtinSchema, formatApiVersion } from '../../objects/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import { decodeBuiltin } from '../kinds/decode-builtin.ts';
import type { DecodedKind } from './decode-input.ts';

/** A built-in kind without objects of its own, such as a Scale: a subresource takes it, and it is decoded as any other. */
export function sentKind(type: ResourceType): DecodedKind {
  const apiVersion = formatApiVersion(type);
  const schema = builtinSchema(apiVersion, type.kind);
  return { type, apiVersion, rules: { ...(schema && { prune: (object) => decodeBuiltin(type, object, schema) }) } };
}
