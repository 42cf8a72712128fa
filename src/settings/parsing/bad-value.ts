/** A value that a setting cannot take. The reason is shown to people and never repeats what may be secret. */
export class BadValue extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'BadValue';
  }
}

/**
 * Reads the text of one key; throws BadValue for what cannot be taken. `note` reports what can be taken, but perhaps not as it was
 * meant.
 */
export type Parse<Value> = (text: string, note: (reason: string) => void) => Value;

const quotedLengthMax = 60;

/** A value in a reason; only for values that are not secret. */
export function quote(text: string): string {
  return JSON.stringify(text.length > quotedLengthMax ? `${text.slice(0, quotedLengthMax)}…` : text);
}
