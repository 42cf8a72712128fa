const lengthMax = 50;

/** What stands for letters that do not come apart into one of ours and a mark; a sign that is not heard leaves a gap. */
const letters = new Map([
  ...pairs('ß ss æ ae œ oe ø o ł l đ d ð d þ th ı i & and @ at'),
  ...pairs('α a β b γ g δ d ε e ζ z η e θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r ς s σ s τ t υ u φ ph χ kh ψ ps ω o'),
  ...pairs('а a б b в v г g д d е e ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch'),
  ...pairs("ъ ' ы y ь ' э e ю iu я ia ѐ ie ё io ђ dj ѓ gj є ie ѕ dz і i ї yi ј j љ lj њ nj ћ tsh ќ kj ѝ i ў u џ dzh ґ g'"),
]);

function pairs(text: string): readonly (readonly [string, string])[] {
  const words = text.split(' ');
  return words.flatMap((letter, at) => (at % 2 === 0 ? [[letter, words[at + 1] ?? ''] as const] : []));
}

/** The name of a branch as it may stand in the name of an object: at most 50 letters, digits and single dashes, cut between words. */
export function makeSlug(text: string): string {
  const ascii = Array.from(
    text.trim().toLowerCase().normalize('NFC').replaceAll(/["'’]/g, ''),
    (character) => letters.get(character) ?? withoutMarks(character),
  );
  const slug = ascii
    .join('')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  if (slug.length <= lengthMax) return slug;
  const end = slug.lastIndexOf('-', lengthMax);
  return end <= 0 ? slug.slice(0, lengthMax) : slug.slice(0, end);
}

function withoutMarks(character: string): string {
  const plain = character.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return letters.get(plain) ?? plain;
}
