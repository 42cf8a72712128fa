import { ApiError, Code } from '../../../base/index.ts';
import { messageCodec } from '../../../contract/index.ts';
import {
  applyStrategicMergePatch,
  isJsonObject,
  PatchError,
  type JsonObject,
  type JsonValue,
  type Schema,
} from '../../../objects/index.ts';
import { GoInt, GoList, GoMap, parseYaml, TemplateError, type GoAny } from '../../../template/index.ts';

/** Whatever a field is called, it is there. */
class EveryField extends Map<string, Schema> {
  override get(): Schema {
    return anything;
  }
}

/** Nothing in an application merges by a key: lists are replaced whole. */
const anything: Schema = {
  properties: new EveryField(),
  get items(): Schema {
    return anything;
  },
};

/** The application with a rendered `templatePatch` applied; its project stays what the template says. Throws ApiError. */
export function applyTemplatePatch(application: JsonObject, text: string): JsonObject {
  const patch = readPatch(text);
  const json = JSON.stringify(patch);
  try {
    messageCodec('argoproj.v1alpha1.Application').fromJson(withoutDirectives(patch));
  } catch (error) {
    if (error instanceof ApiError) throw refusal(`invalid templatePatch "${json}": ${error.message}`);
    throw error;
  }
  let patched: JsonObject;
  try {
    patched = applyStrategicMergePatch(application, patch, anything);
  } catch (error) {
    if (error instanceof PatchError) throw refusal(`error while applying templatePatch template to json "${json}": ${error.message}`);
    throw error;
  }
  const { project = '' } = (application['spec'] ?? {}) as JsonObject;
  return { ...patched, spec: { ...(isJsonObject(patched['spec']) ? patched['spec'] : {}), project } };
}

function readPatch(text: string): JsonObject {
  let value: GoAny;
  try {
    value = parseYaml(text);
  } catch (error) {
    if (error instanceof TemplateError) throw refusal(`error while converting template to json "${text}": ${error.message}`);
    throw error;
  }
  const plain = toPlain(value ?? new GoMap(new Map()));
  if (!isJsonObject(plain)) throw refusal(`invalid templatePatch "${JSON.stringify(plain)}": it is not an object`);
  return plain;
}

/** What says how to patch is not part of an application, and nothing is everywhere allowed. */
function withoutDirectives(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutDirectives);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([key, item]) => !key.startsWith('$') && item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutDirectives(item)]));
}

function toPlain(value: GoAny): JsonValue {
  if (value instanceof GoMap) return Object.fromEntries([...value.entries].map(([key, item]) => [key, toPlain(item)]));
  if (value instanceof GoList) return value.items.map(toPlain);
  if (value instanceof GoInt) return Number(value.value);
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function refusal(text: string): ApiError {
  return new ApiError(Code.InvalidArgument, text);
}
