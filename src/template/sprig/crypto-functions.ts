import { createCipheriv, createDecipheriv, createHmac, scryptSync } from 'node:crypto';
import { fromBytes, toBytes } from '../go/bytes.ts';
import { define, GoError } from '../go/go-function.ts';
import type { GoInt } from '../go/value.ts';
import type { FunctionContext, NamedFunctions } from './environment.ts';

/** Functions that make keys, certificates and password hashes are left out on purpose: see ADR 9. */
const REFUSED: Readonly<Record<string, string>> = {
  bcrypt: 'string',
  htpasswd: 'string, string',
  genPrivateKey: 'string',
  buildCustomCert: 'string, string',
  genCA: 'string, int',
  genCAWithKey: 'string, int, string',
  genSelfSignedCert: 'string, list, list, int',
  genSelfSignedCertWithKey: 'string, list, list, int, string',
  genSignedCert: 'string, list, list, int, any',
  genSignedCertWithKey: 'string, list, list, int, any, string',
};
const SEED = 'com.lyndir.masterpassword';
const TYPES: Readonly<Record<string, string>> = {
  maximum: 'anoxxxxxxxxxxxxxxxxx axxxxxxxxxxxxxxxxxno',
  long:
    'CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno CvcvnoCvccCvcv CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc ' +
    'CvcvCvcvnoCvcc CvcvCvcvCvccno CvccnoCvccCvcv CvccCvccnoCvcv CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno',
  medium: 'CvcnoCvc CvcCvcno',
  short: 'Cvcn',
  basic: 'aaanaaan aannaaan aaannaaa',
  pin: 'nnnn',
};
const CHARACTERS: Readonly<Record<string, string>> = {
  C: 'BCDFGHJKLMNPQRSTVWXYZ',
  v: 'aeiou',
  c: 'bcdfghjklmnpqrstvwxyz',
  a: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz',
  n: '0123456789',
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()',
};
/** One costs about a tenth of a second, so a template gets two. */
const DERIVATION_STEPS = 900_000;

export function cryptoFunctions({ budget, environment }: FunctionContext): NamedFunctions {
  const refused = Object.entries(REFUSED).map(([name, types]) => {
    const call = define(types, () => {
      throw new GoError(`${name} is not available here: templates make no keys, certificates or password hashes`);
    });
    return [name, call] as const;
  });
  return [
    ...refused,
    [
      'derivePassword',
      define('uint32, string, string, string, string', (counter: GoInt, type: string, password: string, user: string, site: string) => {
        budget.step(DERIVATION_STEPS);
        return derivePassword(Number(counter.value), type, password, { user, site });
      }),
    ],
    [
      'encryptAES',
      define('string, string', (password: string, text: string) => {
        if (text === '') return '';
        if (environment.randomBytes === undefined) throw new GoError('there is no randomness here: it would give another text each time');
        const start = environment.randomBytes(16);
        const cipher = createCipheriv('aes-256-cbc', keyOf(password), start);
        return Buffer.concat([start, cipher.update(toBytes(text)), cipher.final()]).toString('base64');
      }),
    ],
    ['decryptAES', define('string, string', (password: string, text: string) => (text === '' ? '' : decrypt(password, text)))],
  ];
}

function keyOf(password: string): Buffer {
  const key = Buffer.alloc(32);
  toBytes(password).copy(key);
  return key;
}

function decrypt(password: string, text: string): string {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length < 32 || bytes.length % 16 !== 0) throw new GoError('crypto/cipher: input not full blocks');
  const decipher = createDecipheriv('aes-256-cbc', keyOf(password), bytes.subarray(0, 16)).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]);
  const padding = padded.at(-1) ?? 0;
  if (padding > padded.length) throw new GoError(`runtime error: slice bounds out of range [:${padded.length - padding}]`);
  return fromBytes(padded.subarray(0, padded.length - padding));
}

function derivePassword(counter: number, type: string, password: string, { user, site }: { user: string; site: string }): string {
  const templates = Object.hasOwn(TYPES, type) ? (TYPES[type] ?? '').split(' ') : undefined;
  if (templates === undefined) return `cannot find password template ${type}`;
  const salt = Buffer.concat([Buffer.from(SEED), lengthOf(user), toBytes(user)]);
  const key = scryptSync(toBytes(password), salt, 64, { N: 32_768, r: 8, p: 2, maxmem: 64 << 20 });
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const seed = createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(SEED), lengthOf(site), toBytes(site), count]))
    .digest();
  const template = templates[(seed[0] ?? 0) % templates.length] ?? '';
  return Array.from(template, (kind, at) => {
    const characters = CHARACTERS[kind] ?? '';
    return characters[(seed[at + 1] ?? 0) % characters.length] ?? '';
  }).join('');
}

function lengthOf(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(toBytes(text).length);
  return length;
}
