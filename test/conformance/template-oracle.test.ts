import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/objects/index.ts';
import { applicationSetFunctions, compileGoTemplate, fromJson, goFunction, TemplateError } from '../../src/template/index.ts';
import type { FunctionLibrary } from '../../src/template/index.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { askTemplateOracle } from '../support/template-oracle.ts';
import type { TemplateAnswer, TemplateQuestion } from '../support/template-oracle.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { functionTemplates } from './template-oracle-functions.ts';
import { languageTemplates, printfTemplates } from './template-oracle-language.ts';
import { randomTemplate } from './template-oracle-random.ts';

const templateData: JsonObject = {
  name: 'abc',
  unicode: 'é€😀',
  café: 'crème',
  yes: true,
  no: false,
  null: null,
  number: 3,
  float: 2.5,
  big: 12345678,
  small: 0.0000012,
  negative: -7,
  zero: 0,
  empty: '',
  emptyList: [],
  emptyMap: {},
  list: ['a', 'b', 'c'],
  mixed: ['x', 1, 1.5, true, null, ['y'], { z: 1 }],
  nested: { b: { c: 'deep' }, a: 1, list: [1, 2] },
  labels: { 'app.kubernetes.io/name': 'web', env: 'prod', '10': 'ten', '9': 'nine' },
  maps: [
    { name: 'one', value: 1 },
    { name: 'two', value: 2 },
  ],
  yaml: { text: 'plain', on: 'yes', number: '5', float: 1.5, int: 7, list: ['a', ['b'], {}], block: 'x\ny\n', 'key with: colon': null },
};

/** Their words come from parsers that we do not have; that they are refused is what counts. */
const OTHER_WORDS = /error calling (?:mustFromJson|fromYaml|fromYamlArray|mustToDate|mustDateModify)|is not available here|of type func/;

const functions: FunctionLibrary = (budget) =>
  new Map([
    ...applicationSetFunctions({ now: () => 1_700_000_000_000, randomBytes })(budget),
    ['greeter', goFunction('', () => goFunction('string', (name: string) => `hello ${name}`))],
  ]);

function render({ text, options = [], data = null }: TemplateQuestion): TemplateAnswer {
  try {
    return { result: compileGoTemplate(text, { options, functions }).render(fromJson(data)) };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message };
    throw error;
  }
}

/** What is different, as something to read. */
function differences(questions: readonly TemplateQuestion[], theirs: readonly TemplateAnswer[]): string[] {
  return questions.flatMap((question, at) => {
    const [own, other] = [render(question), theirs[at] ?? {}];
    if (own.error !== undefined && other.error !== undefined && OTHER_WORDS.test(own.error)) return [];
    const same = own.error === other.error && (own.result ?? null) === (other.result ?? null);
    return same ? [] : [`${question.text}\n  ours:   ${show(own)}\n  theirs: ${show(other)}`];
  });
}

function show({ result, error }: TemplateAnswer): string {
  return error === undefined ? JSON.stringify(result) : `error: ${error}`;
}

describeWithTool('template-oracle', 'Go templates, beside the original', (tool) => {
  const compare = async (questions: readonly TemplateQuestion[]): Promise<void> => {
    expect(differences(questions, await askTemplateOracle(tool(), questions))).toEqual([]);
  };
  const ask = (templates: readonly string[], options: readonly string[] = []) =>
    compare(templates.map((text) => ({ operation: 'template' as const, text, options, data: templateData })));

  it('has a corpus of more than 400 templates', () => {
    expect(languageTemplates.length + printfTemplates.length + functionTemplates.length).toBeGreaterThanOrEqual(400);
  });
  it('agrees about the language', () => ask(languageTemplates));
  it('agrees about printf', () => ask(printfTemplates));
  it('agrees about the functions', () => ask(functionTemplates));
  it('agrees about the language where a missing key is an error', () => ask(languageTemplates, ['missingkey=error']));
  it('agrees about the language where a missing key is the zero value', () => ask(languageTemplates, ['missingkey=zero']));
  it('agrees about templates that a grammar makes', async () => {
    const random = new SeededRandom(9);
    const templates = Array.from({ length: 3000 }, () => randomTemplate(random));
    await ask(templates);
  });
});
