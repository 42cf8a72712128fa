/** Characters that nobody sees and that change what others look like: marks of direction, and those without width. */
const HIDDEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|(?![\n\t])\p{Cc}/gu;
/** Joiners belong into emoji and into some scripts; beside plain letters they only hide. */
const JOINERS = /(?<=^|[\x20-\x7e])[\u200c\u200d]+|[\u200c\u200d]+(?=$|[\x20-\x7e])/g;

/** A text from elsewhere, with what hides in it named: `⟨U+202E⟩`. */
export function visibleText(text: string): string {
  // Nearly all texts hide nothing, and a long log should not pay for the others.
  if (/^[\x20-\x7e\n\t]*$/.test(text)) return text;
  return text.replaceAll(JOINERS, nameAll).replaceAll(HIDDEN, nameAll);
}

function nameAll(hidden: string): string {
  return Array.from(hidden, (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`).join('');
}
