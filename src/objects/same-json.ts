/**
 * Whether two values are the same once they are JSON: the order of fields does not count, and one that is undefined is not there. For values
 * that are looked at again and again; nothing is made for it.
 */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => sameJson(item ?? null, right[index] ?? null));
  }
  const [one, other] = [left as Readonly<Record<string, unknown>>, right as Readonly<Record<string, unknown>>];
  let surplus = 0;
  for (const key in other) if (Object.hasOwn(other, key) && other[key] !== undefined) surplus += 1;
  for (const key in one) {
    if (!Object.hasOwn(one, key) || one[key] === undefined) continue;
    if (!Object.hasOwn(other, key) || !sameJson(one[key], other[key])) return false;
    surplus -= 1;
  }
  return surplus === 0;
}
