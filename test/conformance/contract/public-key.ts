import { createHash } from 'node:crypto';

/** A public key as far as anybody looks at it: its body, and whom it stands for. */
export function makeKey(owner: string, seed: number): { readonly id: string; readonly data: string } {
  const body = [4, 0, 0, 0, seed, 1, 8, 0, ...Array.from({ length: 256 }, () => 0xff), 0, 17, 1, 0, 1];
  const name = [...Buffer.from(owner)];
  const packet = [0x99, body.length >> 8, body.length & 0xff, ...body];
  // The fingerprint of a key of version 4 is that of its first packet.
  const id = createHash('sha1').update(Uint8Array.from(packet)).digest('hex').slice(-16).toUpperCase();
  const base64 = Buffer.from([...packet, 0xb4, name.length, ...name]).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  const data = ['-----BEGIN PGP PUBLIC KEY BLOCK-----', '', ...lines, '-----END PGP PUBLIC KEY BLOCK-----', ''].join('\n');
  return { id, data };
}
