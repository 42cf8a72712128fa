/** How calls take what is bytes in the contract, such as certificates. */
export function encodeBytes(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCodePoint(byte)).join(''));
}
