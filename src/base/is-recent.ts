/** Whether something is younger than so long. What is of a time that is yet to come is not: the clock was set back meanwhile. */
export function isRecent(atMs: number, { nowMs, withinMs }: { readonly nowMs: number; readonly withinMs: number }): boolean {
  return atMs <= nowMs && nowMs - atMs < withinMs;
}
