import { messageCodec } from '../../contract/index.ts';
import { normalizeSpec, type Application, type ApplicationSpec } from '../../model/index.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../objects/index.ts';

/** An application as an application set wants it: what it says nothing about is not there. */
export interface DesiredApplication {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  /** Normalized. */
  readonly spec: ApplicationSpec;
}

const specCodec = messageCodec('argoproj.v1alpha1.ApplicationSpec');

/** A spec in the one form in which it is written and compared: of known fields, without what says nothing. */
export function typedSpec(spec: object): ApplicationSpec {
  return normalizeSpec(withoutNulls(specCodec.toJson(spec as never)) as unknown as ApplicationSpec);
}

function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutNulls(item)]));
}

/** What is known of an application in the same form; made once for each version of it. */
const typedSpecs = new WeakMap<object, ApplicationSpec>();

export function typedSpecOf(application: Application): ApplicationSpec {
  let typed = typedSpecs.get(application.spec);
  if (typed === undefined) {
    typed = typedSpec(application.spec);
    typedSpecs.set(application.spec, typed);
  }
  return typed;
}
