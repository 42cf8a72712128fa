import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/objects/index.ts';
import { compileLua, TemplateError } from '../../src/template/index.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { askLuaOracle } from '../support/lua-oracle.ts';
import type { LuaAnswer } from '../support/lua-oracle.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { makeScript } from './lua-oracle-random.ts';

const folder = join(import.meta.dirname, 'lua-scripts');
const values = ['nil', 'boolean', 'number', 'string'];

/** What rules are given. */
const data: JsonObject = {
  a: 1,
  apiVersion: 'example.org/v1',
  kind: 'Widget',
  metadata: { name: 'blue', generation: 3, annotations: { 'a/b': 'c' }, finalizers: [] },
  spec: { replicas: 3, paused: false, ratio: 0.5, nothing: null, sizes: [1, 2, 3], text: 'größer' },
  status: {
    observedGeneration: 3,
    phase: 'Running',
    readyReplicas: 2,
    conditions: [
      { type: 'Ready', status: 'False', reason: 'Waiting', message: 'one of 3 is missing' },
      { type: 'Stalled', status: 'True', reason: 'Broken', message: 'no way' },
    ],
  },
};

function run(text: string): LuaAnswer {
  try {
    const result = compileLua(text, { areAllLibrariesOpen: true }).run({ globals: { obj: data }, nowMs: () => 1_700_000_000_000 });
    return { values: result.values.map((value) => (values.includes(value.type) ? `${value.type} ${value.text}` : value.type)) };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message };
    throw error;
  }
}

/** A function that is called through a variable has no name there. */
function normalize(answer: LuaAnswer): readonly string[] {
  return (answer.values ?? []).map((value) => value.replace(/(bad argument #\d+ to) \S+/, '$1 it').replaceAll(/0x[0-9a-f]+/g, '0x'));
}

/** Scripts stand in files by what they are about, with empty lines between them. */
async function readScripts(): Promise<readonly string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.lua')).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.flatMap((text) => text.trimEnd().split('\n\n'));
}

/** What both say about scripts, where they do not say the same. */
async function findDifferences(program: string, scripts: readonly string[]): Promise<readonly string[]> {
  const answers = await askLuaOracle(
    program,
    scripts.map((text) => ({ text, data })),
  );
  return scripts.flatMap((text, at) => {
    const [own, theirs] = [run(text), answers[at] ?? {}];
    const isSame =
      own.error === undefined && theirs.error === undefined
        ? isDeepStrictEqual(normalize(own), normalize(theirs))
        : own.error !== undefined && theirs.error !== undefined;
    return isSame ? [] : [`${text}\n  ours:   ${JSON.stringify(own)}\n  theirs: ${JSON.stringify(theirs)}`];
  });
}

describeWithTool('lua-oracle', 'Lua, beside gopher-lua', (tool) => {
  it('agrees about results, and about what is an error', async () => {
    const scripts = await readScripts();
    expect(scripts.length).toBeGreaterThanOrEqual(200);
    expect(await findDifferences(tool(), scripts)).toEqual([]);
  });

  it('agrees about scripts that a grammar makes', { timeout: 60_000 }, async () => {
    const random = new SeededRandom(2026);
    const scripts = Array.from({ length: 1_000 }, () => makeScript(random));
    expect(await findDifferences(tool(), scripts)).toEqual([]);
  });
});
