/** bcrypt, as existing installations store it: cost 10, version 2a. */

/** Its native code is loaded with the first password, so that a start does not wait for it. */
const loadBcrypt = () => import('@node-rs/bcrypt');

/** bcrypt reads no further; a longer password would be accepted by its first part. */
export const passwordBytesMax = 72;

/** A hash that no password is known for, with the cost of the real ones. */
const unknownUserHash = '$2a$10$p2D1mQ04igBRj/Z5DUgg7eVjQk.Fd2pranHNeoDhtrtNTF3cJlvgG';

export async function hashPassword(password: string): Promise<string> {
  if (Buffer.byteLength(password) > passwordBytesMax) throw new Error(`a password has at most ${passwordBytesMax} bytes`);
  return (await loadBcrypt()).hash(password, { cost: 10, version: '2a' });
}

/** Takes equally long when there is no such user: `encodedHash` is undefined then. */
export async function verifyPassword(password: string, encodedHash: string | undefined): Promise<boolean> {
  const { verify } = await loadBcrypt();
  const matches = await verify(password, encodedHash ?? unknownUserHash);
  return matches && encodedHash !== undefined && Buffer.byteLength(password) <= passwordBytesMax;
}
