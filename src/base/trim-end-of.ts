/**
 * A text without these characters at its end. Each is looked at once: an expression such as `/+$` begins anew at every one of them, wherever
 * they stand, and a text of a megabyte that somebody sends would keep the process busy for a quarter of an hour.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
