import { createHash } from 'node:crypto';
import { readPackets, type Packet } from './read-packets.ts';

/** One public key with all that belongs to it. */
export interface PublicKey {
  /** 40 hexadecimal digits in upper case. */
  readonly fingerprint: string;
  /** The last 16 of them. */
  readonly keyId: string;
  /** Whom the first of its names stands for. */
  readonly owner: string;
  /** Algorithm and size, such as `rsa4096` or `ed25519`. */
  readonly subType: string;
  /** In binary: the key and everything up to the next key. */
  readonly bytes: Uint8Array;
}

const PUBLIC_KEY = 6;
const SECRET_KEYS: readonly number[] = [5, 7];
const USER_ID = 13;
const KEYS_MAX = 100;

const CURVES: Readonly<Record<string, string>> = {
  '2b06010401da470f01': 'ed25519',
  '2b060104019755010501': 'cv25519',
  '2a8648ce3d030107': 'nistp256',
  '2b81040022': 'nistp384',
  '2b81040023': 'nistp521',
  '2b8104000a': 'secp256k1',
  '2b2403030208010107': 'brainpoolP256r1',
  '2b240303020801010b': 'brainpoolP384r1',
  '2b240303020801010d': 'brainpoolP512r1',
};

/** The public keys in unarmoured data. Throws an Error in plain words for what is none, and for anything that holds a secret. */
export function readPublicKeys(data: Uint8Array): readonly PublicKey[] {
  const packets = readPackets(data);
  if (packets.some(({ tag }) => SECRET_KEYS.includes(tag))) throw new Error('this is a secret key');
  const starts = packets.flatMap(({ tag }, index) => (tag === PUBLIC_KEY ? [index] : []));
  if (starts.length === 0 || starts[0] !== 0) throw new Error('this is no public key');
  if (starts.length > KEYS_MAX) throw new Error(`more than ${KEYS_MAX} keys at once`);
  return starts.map((start, index) => readKey(packets.slice(start, starts[index + 1]), data));
}

function readKey(packets: readonly Packet[], data: Uint8Array): PublicKey {
  const [first] = packets;
  const last = packets.at(-1);
  if (first === undefined || last === undefined) throw new Error('this is no public key');
  const { body } = first;
  if (body[0] !== 4) throw new Error('only keys of version 4 are understood');
  const head = Buffer.from([0x99, body.length >> 8, body.length & 0xff]);
  const fingerprint = createHash('sha1').update(head).update(body).digest('hex').toUpperCase();
  const name = packets.find(({ tag }) => tag === USER_ID);
  return {
    fingerprint,
    keyId: fingerprint.slice(-16),
    owner: name === undefined ? '' : Buffer.from(name.body).toString(),
    subType: describeAlgorithm(body),
    bytes: data.subarray(first.start, last.end),
  };
}

/** After version and time of making come the algorithm and what it needs: for most a number whose size is the key's, or a curve. */
function describeAlgorithm(body: Uint8Array): string {
  const algorithm = body[5] ?? 0;
  const sizeBits = ((body[6] ?? 0) << 8) | (body[7] ?? 0);
  switch (algorithm) {
    case 1:
    case 2:
    case 3:
      return `rsa${sizeBits}`;
    case 16:
      return `elg${sizeBits}`;
    case 17:
      return `dsa${sizeBits}`;
    case 18:
    case 19:
    case 22:
      return CURVES[Buffer.from(body.subarray(7, 7 + (body[6] ?? 0))).toString('hex')] ?? 'ecc';
    case 27:
      return 'ed25519';
    case 28:
      return 'ed448';
    default:
      return 'unknown';
  }
}
