import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/objects/index.ts';
import { compileJq, TemplateError } from '../../src/template/index.ts';
import { askTemplateOracle } from '../support/template-oracle.ts';
import type { TemplateAnswer } from '../support/template-oracle.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { queryTexts } from './template-oracle-queries.ts';

const queryData: JsonObject = {
  a: { b: 1 },
  b: 2,
  c: null,
  no: false,
  text: 'hello é',
  number: 5,
  list: [1, 2, 3],
  mixed: [3, 'x', null, true, [1], { z: 1 }, false, 3],
  obj: { x: 1, y: 2 },
  metadata: { annotations: { 'x/y': 'one', z: 'two' } },
  spec: {
    replicas: 3,
    containers: [
      { name: 'web', image: 'nginx:1', env: [{ name: 'A', value: '1' }, { name: 'B' }] },
      { name: 'side', image: 'envoy:2', env: [{ name: 'C' }] },
      { name: 'last', image: 'nginx:1' },
    ],
  },
  status: { conditions: [{ type: 'Ready', status: 'True' }, { type: 'Other' }] },
};

function run(text: string): TemplateAnswer {
  try {
    return { result: compileJq(text).run(queryData) };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message };
    throw error;
  }
}

describeWithTool('template-oracle', 'jq, beside gojq', (tool) => {
  it('agrees about results, and about what is an error', async () => {
    const questions = queryTexts.map((text) => ({ operation: 'jq' as const, text, data: queryData }));
    const answers = await askTemplateOracle(tool(), questions);
    const different = queryTexts.flatMap((text, at) => {
      const [own, theirs] = [run(text), answers[at] ?? {}];
      const isSame =
        own.error === undefined && theirs.error === undefined
          ? isDeepStrictEqual(JSON.parse(JSON.stringify(own.result)), theirs.result)
          : own.error !== undefined && theirs.error !== undefined;
      return isSame ? [] : [`${text}\n  ours:   ${JSON.stringify(own)}\n  theirs: ${JSON.stringify(theirs)}`];
    });
    expect(different).toEqual([]);
  });
});
