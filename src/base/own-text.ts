/** Shorter parts are copied by the runtime itself. */
const CUT_LENGTH_MIN = 13;

/**
 * The same text without the longer one that it was cut from, which the runtime keeps alive for the sake of a part. For what is kept for long
 * of a text that is not.
 */
export function ownText(text: string): string {
  return text.length < CUT_LENGTH_MIN ? text : Buffer.from(text, 'utf8').toString('utf8');
}
