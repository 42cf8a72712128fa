import type { Match, Regexp } from './compile-regexp.ts';

/** As Go's ReplaceAll: `replacement` makes the text that stands for a match. */
export function replaceMatches(regexp: Regexp, characters: readonly string[], replacement: (match: Match) => string): string {
  let made = '';
  let lastEnd = 0;
  for (let at = 0; at <= characters.length;) {
    const match = regexp.find(characters, at);
    if (match === undefined) break;
    const [start = 0, end = 0] = match;
    made += characters.slice(lastEnd, start).join('');
    if (end > lastEnd || start === 0) made += replacement(match);
    lastEnd = end;
    at = at + 1 > end ? at + 1 : end;
  }
  return made + characters.slice(lastEnd).join('');
}

/** What `$1`, `${name}` and `$$` of a template stand for. */
export function expandTemplate(template: string, regexp: Regexp, characters: readonly string[], match: Match): string {
  return template.replaceAll(/\$(?:\$|(\w+)|\{(\w+)\})/g, (whole: string, bare: string | undefined, braced: string | undefined) => {
    const name = bare ?? braced;
    if (name === undefined) return '$';
    const index = /^(?:0|[1-9]\d*)$/.test(name) ? Number(name) : regexp.names.indexOf(name);
    if (index < 0) return '';
    const [start = -1, end = -1] = [match[index * 2], match[index * 2 + 1]];
    return start < 0 ? '' : characters.slice(start, end).join('');
  });
}
