import { describe, expect, it } from 'vitest';
import { formatLsRefs, readConversation, readRefs, withoutServiceLine } from './ls-refs.ts';

const packet = (text: string): string => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
const read = (text: string) => readConversation(Buffer.from(text));
const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
const hello = `${packet('version 2\n')}${packet('agent=x\n')}${packet('object-format=sha1\n')}0000`;

describe('a conversation about refs', () => {
  it('waits for the capabilities, then for the answer', () => {
    expect(read('')).toEqual({ state: 'incomplete' });
    expect(read(hello.slice(0, -2))).toEqual({ state: 'incomplete' });
    expect(read(hello)).toEqual({ state: 'ready', objectFormat: 'sha1' });
    expect(read(`${hello}${packet(`${one} HEAD\n`)}`)).toEqual({ state: 'ready', objectFormat: 'sha1' });
  });

  it('gives the commits that tags point to', () => {
    const answer = `${packet(`${one} HEAD symref-target:refs/heads/main\n`)}${packet(`${one} refs/tags/v1 peeled:${two}\n`)}00000002`;
    const refs = [
      { name: 'HEAD', commit: one },
      { name: 'refs/tags/v1', commit: two, tagId: one },
    ];
    expect(read(`${hello}${answer}`)).toEqual({ state: 'refs', refs });
  });

  it('reads servers that know only the first version', () => {
    const lines = [`${one} HEAD\0multi_ack agent=x\n`, `${one} refs/tags/v1\n`, `${two} refs/tags/v1^{}\n`];
    const refs = [
      { name: 'HEAD', commit: one },
      { name: 'refs/tags/v1', commit: two, tagId: one },
    ];
    expect(read(`${lines.map(packet).join('')}0000`)).toEqual({ state: 'refs', refs });
    expect(read(`${packet(`${'0'.repeat(40)} capabilities^{}\0x\n`)}0000`)).toEqual({ state: 'refs', refs: [] });
  });

  it('ends with what is no git server', () => {
    expect(read('SSH-2.0 or HTML')).toMatchObject({ state: 'error' });
    expect(read(`${packet('ERR no such repository\n')}0000`)).toEqual({ state: 'error', message: 'no such repository' });
  });

  it('asks for the beginnings of names', () => {
    expect(formatLsRefs(['HEAD', 'refs/heads/ä'], 'sha1')).toBe(
      '0014command=ls-refs\n0017object-format=sha1\n00010009peel\n0014ref-prefix HEAD\n001dref-prefix refs/heads/ä\n0000',
    );
  });

  it('has the answer alone, or none', () => {
    const line = packet(`${one} HEAD\n`);
    expect(readRefs(Buffer.from(`${line}0000`))).toEqual([{ name: 'HEAD', commit: one }]);
    expect(readRefs(Buffer.from('0000'))).toEqual([]);
    expect(readRefs(Buffer.from(line))).toBeUndefined();
    expect(readRefs(Buffer.from(`${packet('ERR no\n')}0000`))).toBeUndefined();
    expect(readRefs(Buffer.from('<html>'))).toBeUndefined();
  });

  it('may begin with the name of the service', () => {
    const service = `${packet('# service=git-upload-pack\n')}0000`;
    expect(withoutServiceLine(Buffer.from(`${service}${hello}`)).toString()).toBe(hello);
    expect(withoutServiceLine(Buffer.from(hello)).toString()).toBe(hello);
  });
});
