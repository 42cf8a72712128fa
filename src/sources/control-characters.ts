/** Whether a text holds a line break, a NUL or their kin, which end a line or a word in the protocols that a text may get into. */
export function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (isControl(text.charCodeAt(at))) return true;
  return false;
}

/** The text with a space for each of them. */
export function withoutControlCharacters(text: string): string {
  return Array.from(text, (character) => (isControl(character.charCodeAt(0)) ? ' ' : character)).join('');
}

function isControl(code: number): boolean {
  return code < 32 || code === 127;
}
