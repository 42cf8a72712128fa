/** The known name that was probably meant; undefined when none is close. */
export function findNearest(asked: string, known: readonly string[]): string | undefined {
  const limit = Math.min(3, Math.floor(asked.length / 2));
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const distance = name.startsWith(asked) && asked.length > 1 ? 1 : editDistance(asked, name);
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** How many letters must be added, left out, changed or swapped with their neighbour. */
function editDistance(left: string, right: string): number {
  // What is longer than any name cannot be near one, and would only cost time.
  if (Math.abs(left.length - right.length) > 3) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= left.length; row += 1) {
    const current: number[] = [row];
    rows.push(current);
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + same,
        swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(left.length, right.length);
}
