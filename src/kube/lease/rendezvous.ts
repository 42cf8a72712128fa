/**
 * Which of the members a key falls to: each member draws a number for the key, and the highest wins. Everybody who knows the same
 * members comes to the same answer, and a member that comes or goes moves only the keys that it wins or leaves.
 */
export function rendezvousOwner(members: readonly string[], key: string): string | undefined {
  let owner: string | undefined;
  let highest = -1;
  for (const member of members) {
    const drawn = hash(key, hash(member, 0x811c9dc5));
    // Equal numbers must not be decided by the order in which members are named.
    if (drawn > highest || (drawn === highest && owner !== undefined && member < owner)) {
      highest = drawn;
      owner = member;
    }
  }
  return owner;
}

/** FNV-1a over UTF-16 code units, then the finishing steps of MurmurHash3, without which similar keys draw similar numbers. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
