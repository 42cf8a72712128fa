import { describe, expect, it } from 'vitest';
import { readTar } from './read-tar.ts';

interface Entry {
  readonly name: string;
  readonly content?: string;
  readonly type?: string;
  readonly size?: string;
}

function tar(...entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, content = '', type = '0', size }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0, 100);
    header.write(size ?? Buffer.byteLength(content).toString(8).padStart(11, '0'), 124);
    header.write(type, 156);
    header.write('ustar', 257);
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512);
    body.write(content);
    return [header, body];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const limits = { filesMax: 10, bytesMax: 1000, links: false };
const read = (...entries: readonly Entry[]) =>
  readTar(tar(...entries), limits).files.map(({ path, content }) => [path, content.toString()]);
const pax = (key: string, value: string): Entry => {
  const body = ` ${key}=${value}\n`;
  return { name: 'pax', type: 'x', content: `${body.length + 2}${body}` };
};

describe('an archive', () => {
  it('gives its files', () => {
    expect(read({ name: 'c/', type: '5' }, { name: './c/a.yaml', content: 'x' }, { name: 'c/b', content: '' })).toEqual([
      ['c/a.yaml', 'x'],
      ['c/b', ''],
    ]);
  });

  it('may have long names in headers of their own', () => {
    expect(read({ name: 'long', type: 'L', content: 'c/long-name' }, { name: 'short', content: 'x' })).toEqual([['c/long-name', 'x']]);
    expect(read(pax('path', 'c/p'), { name: 'short', content: 'x' })).toEqual([['c/p', 'x']]);
  });

  it('SSRF-01: has the files that Helm finds in it', () => {
    const file = { name: 'c/own', content: 'x' };
    const own = [['c/own', 'x']];
    const old = { name: 'long', type: 'L', content: 'c/old' };
    expect(read(old, pax('path', 'c/p'), file)).toEqual([['c/old', 'x']]);
    expect(read(pax('path', 'c/p'), { ...old, content: '' }, file)).toEqual([['c/p', 'x']]);
    expect(read({ name: 'pax', type: 'x', content: '8 path=\n' }, file)).toEqual(own);
    expect(read(pax('path', 'c/p'), { name: 'pax', type: 'x', content: '12 uname=xx\n' }, file)).toEqual(own);
    expect(read(pax('path', 'c/p'), { name: 'pax', type: 'g', content: '12 uname=xx\n' }, file)).toEqual(own);
    const hidden = tar(file).toString('latin1');
    for (const type of ['5', '\0']) expect(read({ name: 'c/', type, content: hidden })).toEqual(own);
    // Where the size were none, the contents would be the next header, and swallow the file behind it.
    const swallow = tar({ name: 'c/all', size: '1000' }).toString('latin1', 0, 512);
    for (const size of ['\u00001000', ' \u0000 1000', '  1000'])
      expect(read({ name: 'c/first', size, content: swallow }, file).at(1)).toEqual(own[0]);
  });

  it.each([
    [{ name: '../x' }],
    [{ name: '/x' }],
    [{ name: 'a/../../x' }],
    [{ name: 'C:\\x' }],
    [{ name: 'a\\..\\x' }],
    [{ name: 'l', type: '2' }],
    [{ name: 'l', type: '1' }],
    [{ name: 'd', type: '3' }],
    [{ name: 'p', type: '6' }],
  ])('HELM-03 ARCH-01: with %j is refused', (entry) => expect(() => read(entry)).toThrow('illegal filepath in archive'));

  it('ARCH-01: with twins is refused', () => {
    expect(() => read({ name: 'a' }, { name: 'A' })).toThrow('twice');
    expect(() => read({ name: '\u00e9' }, { name: 'e\u0301' })).toThrow('twice');
    expect(() => read(pax('path', '../../x'), { name: 'ok' })).toThrow('illegal filepath');
  });

  it('HELM-01 ARCH-02: is bounded', () => {
    expect(() => read({ name: 'a', content: 'x'.repeat(1001) })).toThrow('larger than allowed');
    expect(() => read(...Array.from({ length: 11 }, (_, n) => ({ name: `f${n}` })))).toThrow('larger than allowed');
    expect(() => read(...Array.from({ length: 30 }, (_, n) => ({ name: `f${n}/`, type: '5' })))).toThrow('too many entries');
    expect(() => read({ name: 'a', size: '77777777777' })).toThrow('ends in the middle');
    expect(() => read({ name: 'a', size: '-1' })).toThrow('cannot be read');
    expect(() => read({ name: 'x', type: 'x', content: 'y'.repeat(20_000) })).toThrow('too long');
  });

  it.each(['size', 'GNU.sparse.name', 'GNU.sparse.size'])('refuses a header that changes how files are read: %s', (key) => {
    expect(() => read(pax(key, '5'), { name: 'a', content: 'x' })).toThrow('changes how files are read');
  });
});
