import { expect, it } from 'vitest';
import { parsePointer } from './parse-pointer.ts';

const oid = 'a'.repeat(64);
const parse = (text: string) => parsePointer(Buffer.from(text));

it('is read with what follows the version in any order', () => {
  expect(parse(`version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 12345\n`)).toEqual({ oid, sizeBytes: 12_345 });
  expect(parse(`version https://git-lfs.github.com/spec/v1\next-0-x sha256:${oid}\nsize 1\noid sha256:${oid}\n`)).toEqual({
    oid,
    sizeBytes: 1,
  });
});

it.each([
  `version https://git-lfs.example.com/spec/v1\noid sha256:${oid}\nsize 12345\n`,
  `version https://git-lfs.github.com/spec/v1\noid sha256:../../../../${oid}\nsize 12345\n`,
  `version https://git-lfs.github.com/spec/v1\noid md5:${oid}\nsize 12345\n`,
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize -1\n`,
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 1e9\n`,
  ` version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 12345\n`,
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 12345\n${'x'.repeat(1000)}`,
])('%j is no pointer', (text) => expect(parse(text)).toBeUndefined());
