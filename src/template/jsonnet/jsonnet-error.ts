import { TemplateError } from '../template-error.ts';

/** A place in a program. */
export interface Place {
  readonly source: Source;
  readonly offset: number;
}

export interface Source {
  /** As errors name it. */
  readonly name: string;
  /** Where its imports are looked for from; empty for code that was given and is in no file. */
  readonly path: string;
  readonly text: string;
}

/** A program that cannot be read, or that fails; the message says where, and repeats nothing but the program's own words. */
export class JsonnetError extends TemplateError {}

export function staticError(message: string, place: Place): JsonnetError {
  return new JsonnetError(`${formatPlace(place)} ${message}`);
}

export function formatPlace({ source, offset }: Place): string {
  const before = source.text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - (before.lastIndexOf('\n') + 1) + 1;
  return `${source.name}:${line}:${column}`;
}
