export const INDEX_ANNOTATION = 'batch.kubernetes.io/job-completion-index';

const INDEXES_MAX = 100_000;

/** The numbers of a text such as `0,2-4`. */
export function parseIndexes(text: string): readonly number[] {
  const numbers: number[] = [];
  for (const part of text.split(',').filter((one) => /^\d+(-\d+)?$/.test(one))) {
    const [first = 0, last = first] = part.split('-').map(Number);
    for (let index = first; index <= last && numbers.length < INDEXES_MAX; index += 1) numbers.push(index);
  }
  return numbers;
}

/** The shortest text for numbers: two neighbours with a comma, more with a dash. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const sorted = [...indexes].toSorted((left, right) => left - right);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length;) {
    const first = sorted[at] ?? 0;
    let length = 1;
    while (sorted[at + length] === first + length) length += 1;
    const last = first + length - 1;
    parts.push(length === 1 ? String(first) : length === 2 ? `${first},${last}` : `${first}-${last}`);
    at += length;
  }
  return parts.join(',');
}
