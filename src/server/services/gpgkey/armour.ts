const BLOCK = /-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n([^-]*)-----END PGP PUBLIC KEY BLOCK-----/g;
const LINE_LENGTH = 64;

/** The data of all armoured public keys in a text, in a row; empty where there is none. Throws an Error where one is damaged. */
export function dearmour(text: string): Uint8Array {
  return Buffer.concat([...text.matchAll(BLOCK)].map(([, inner = '']) => readBlock(inner)));
}

/** Binary data as text that can be pasted. */
export function armour(data: Uint8Array): string {
  const base64 = Buffer.from(data).toString('base64');
  const lines = base64.match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? [];
  const sum = Buffer.from([checksum(data) >> 16, checksum(data) >> 8, checksum(data)].map((byte) => byte & 0xff)).toString('base64');
  return ['-----BEGIN PGP PUBLIC KEY BLOCK-----', '', ...lines, `=${sum}`, '-----END PGP PUBLIC KEY BLOCK-----', ''].join('\n');
}

function readBlock(inner: string): Uint8Array {
  const lines = inner.split(/\r?\n/).map((line) => line.trim());
  const blank = lines.indexOf('');
  const body = lines.slice(blank + 1).filter((line) => line !== '');
  const sum = body.findIndex((line) => /^=[A-Za-z0-9+/]{4}$/.test(line));
  const base64 = body.slice(0, sum < 0 ? undefined : sum).join('');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64 === '') throw new Error('the key is damaged');
  const data = Buffer.from(base64, 'base64');
  const expected = sum < 0 ? undefined : Buffer.from((body[sum] ?? '').slice(1), 'base64').readUIntBE(0, 3);
  if (expected !== undefined && expected !== checksum(data)) throw new Error('the key is damaged: its checksum is another');
  return data;
}

/** The cyclic redundancy check of the format, 24 bits. */
function checksum(data: Uint8Array): number {
  let sum = 0xb704ce;
  for (const byte of data) {
    sum ^= byte << 16;
    for (let bit = 0; bit < 8; bit += 1) {
      sum <<= 1;
      if ((sum & 0x1000000) !== 0) sum ^= 0x1864cfb;
    }
  }
  return sum & 0xffffff;
}
