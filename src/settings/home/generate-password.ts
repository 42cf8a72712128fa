import type { SettingsRandom } from '../random.ts';

const passwordLength = 16;
/** Without letters and digits that are easily taken for one another. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-';

/** Every character is equally likely: bytes beyond the last whole multiple of the alphabet are thrown away. */
export function generatePassword(random: SettingsRandom): string {
  const limit = 256 - (256 % alphabet.length);
  let password = '';
  while (password.length < passwordLength) {
    for (const byte of random.bytes(passwordLength)) {
      if (byte < limit && password.length < passwordLength) password += alphabet[byte % alphabet.length];
    }
  }
  return password;
}
