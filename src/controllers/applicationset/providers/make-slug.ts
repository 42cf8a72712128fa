const lengthMax = 50;

/** Letters of Latin script that do not come apart into a letter and a mark. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'ss',
  æ: 'ae',
  Æ: 'ae',
  œ: 'oe',
  Œ: 'oe',
  ø: 'o',
  Ø: 'o',
  ł: 'l',
  Ł: 'l',
  đ: 'd',
  Đ: 'd',
  ð: 'd',
  Ð: 'd',
  þ: 'th',
  Þ: 'th',
  ı: 'i',
  '&': 'and',
  '@': 'at',
};

/** The name of a branch as it may stand in the name of an object: at most 50 letters, digits and single dashes, cut between words. */
export function makeSlug(text: string): string {
  const ascii = Array.from(
    text
      .trim()
      .normalize('NFKD')
      .replaceAll(/\p{M}|["'’]/gu, ''),
    (character) => letters[character] ?? character,
  );
  const slug = ascii
    .join('')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  if (slug.length <= lengthMax) return slug;
  const end = slug.lastIndexOf('-', lengthMax);
  return end <= 0 ? slug.slice(0, lengthMax) : slug.slice(0, end);
}
