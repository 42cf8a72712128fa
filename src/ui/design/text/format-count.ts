/** So many of something: `1 line`, `2,000 lines`. */
export function formatCount(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : several}`;
}
