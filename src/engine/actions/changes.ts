import { formatTime, textAt, valueAt, withValueAt } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import { ActionError } from './resource-action.ts';
import type { ActionInput, BuiltInAction } from './resource-action.ts';

type Run = BuiltInAction['run'];

const ANNOTATIONS = ['metadata', 'annotations'];

/** Sets a field. */
export function set(path: readonly string[], value: JsonValue): Run {
  return (object) => withValueAt(object, path, value);
}

/** Takes a field away. */
export function remove(path: readonly string[]): Run {
  return (object) => withValueAt(object, path, undefined);
}

/** Sets a field to false if it is true: what nobody ever set stays so. */
export function unset(path: readonly string[]): Run {
  return (object) => (valueAt(object, path) === true ? withValueAt(object, path, false) : object);
}

/** Writes the time into an annotation, with a text before it. */
export function stamp(path: readonly string[], format: (time: string) => string = (time) => time): Run {
  return (object, { nowMs }) => withValueAt(object, path, format(formatTime(nowMs)));
}

export function annotate(name: string, value: string): Run {
  return set([...ANNOTATIONS, name], value);
}

export function stampAnnotation(name: string, format?: (time: string) => string): Run {
  return stamp([...ANNOTATIONS, name], format);
}

/** Takes annotations away, and leaves an object without any alone. */
export function removeAnnotations(...names: readonly string[]): Run {
  return (object) =>
    names.reduce(
      (changed, name) => (annotation(changed, name) === undefined ? changed : withValueAt(changed, [...ANNOTATIONS, name], undefined)),
      object,
    );
}

export function annotation(object: JsonObject, name: string): string | undefined {
  const value = valueAt(object, [...ANNOTATIONS, name]);
  return typeof value === 'string' ? value : undefined;
}

export function label(object: JsonObject, name: string): string {
  return textAt(object, 'metadata', 'labels', name);
}

export function isTrue(...path: readonly string[]): (object: JsonObject) => boolean {
  return (object) => valueAt(object, path) === true;
}

export function isNotTrue(...path: readonly string[]): (object: JsonObject) => boolean {
  return (object) => valueAt(object, path) !== true;
}

/** The parameter `replicas` as a number. */
export function readReplicas({ parameters }: ActionInput): number {
  const text = parameters.get('replicas') ?? '';
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text.trim())) throw new ActionError(`invalid number: ${text}`);
  return number;
}

/** A name with the minute in it: asking twice within it makes one thing, not two. */
export function nameWithMinute(name: string, nowMs: number, isLong: boolean): string {
  const digits = formatTime(nowMs).replaceAll(/\D/g, '').slice(0, 12);
  return `${name}-${isLong ? digits : digits.slice(2)}`;
}

/** The entry of a list of owners that names an object. */
export function ownerOf(object: JsonObject): JsonObject {
  return {
    apiVersion: textAt(object, 'apiVersion'),
    kind: textAt(object, 'kind'),
    name: textAt(object, 'metadata', 'name'),
    uid: textAt(object, 'metadata', 'uid'),
  };
}
