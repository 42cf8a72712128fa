import { expect, it } from 'vitest';
import { evaluateJsonnet, TemplateError } from '../../src/template/index.ts';
import { askJsonnetOracle } from '../support/jsonnet-oracle.ts';
import type { JsonnetAnswer, JsonnetGiven, JsonnetQuestion } from '../support/jsonnet-oracle.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { functionPrograms } from './jsonnet-oracle-functions.ts';
import { languagePrograms } from './jsonnet-oracle-language.ts';
import { randomProgram } from './jsonnet-oracle-random.ts';
import { yamlDocuments, yamlTexts } from './jsonnet-oracle-yaml.ts';

const PROGRAM = 'main.jsonnet';
const RANDOM_COUNT = 4000;

const externalVariables: readonly JsonnetGiven[] = [
  { name: 'text', value: '1 + 1' },
  { name: 'code', value: "{ x: std.length('abc') }", code: true },
  { name: 'broken', value: '}', code: true },
  { name: 'lazy', value: "[error 'x']", code: true },
];

const files: Readonly<Record<string, string>> = {
  'lib.libsonnet': "{ name: 'lib', local hidden = 5, twice(x):: x * 2, value: self.twice(hidden), file: std.thisFile }",
  'function.libsonnet': 'function(x) [x, std.extVar("text")]',
  'text.txt': 'é\n"quoted"\n',
  'broken.libsonnet': '{ a: ',
  'failing.libsonnet': "{ a: 1, b: error 'in a library' }",
  'circle.libsonnet': "{ again: import 'circle.libsonnet', value: 3 }",
  'itself.libsonnet': "import 'itself.libsonnet'",
  'outer.libsonnet': "(import 'lib.libsonnet') { name: 'outer', text: importstr 'text.txt' }",
  'data.json': '{"a": [1, null, {"b": "c"}]}',
};

const imports: readonly JsonnetQuestion[] = [
  "import 'lib.libsonnet'",
  "(import 'lib.libsonnet').twice(4)",
  "(import 'lib.libsonnet') + { twice(x):: x * 3 }",
  "(import 'function.libsonnet')('x')",
  "importstr 'text.txt'",
  "importbin 'text.txt'",
  "importstr 'lib.libsonnet'",
  "import 'data.json'",
  "import 'broken.libsonnet'",
  "(import 'failing.libsonnet').a",
  "(import 'failing.libsonnet').b",
  "(import 'circle.libsonnet').again.again.value",
  "import 'itself.libsonnet'",
  "import 'outer.libsonnet'",
  "local unused = import 'nowhere.libsonnet'; 1",
  "import 'nowhere.libsonnet'",
  "[import 'lib.libsonnet' for x in [1, 2]]",
  "local lib = import 'lib.libsonnet'; { [k]: lib[k] for k in std.objectFields(lib) }",
  'import "lib.libsonnet" { name: "more" }',
  "$.a + import 'lib.libsonnet'",
].map((text) => ({ text, files }));

const functions: readonly JsonnetQuestion[] = [
  ['function(a, b=2) [a, b]', [{ name: 'a', value: 'text' }]],
  [
    'function(a, b=2) [a, b]',
    [
      { name: 'a', value: '[1, 2]', code: true },
      { name: 'b', value: 'x' },
    ],
  ],
  ['function(a, b=2) [a, b]', []],
  ['function(a) a', [{ name: 'c', value: 'x' }]],
  ['function(a) a', [{ name: 'a', value: '{', code: true }]],
  ['function(a) a', [{ name: 'a', value: "error 'given'", code: true }]],
  ['function(a) 1', [{ name: 'a', value: "error 'given'", code: true }]],
  ['function(a) a', [{ name: 'a', value: "import 'lib.libsonnet'", code: true }]],
  ['function(a) a', [{ name: 'a', value: "std.extVar('code')", code: true }]],
  ['function(a) function(b) b', [{ name: 'a', value: '' }]],
  ['function() { x: 1 }', []],
  ['{ not: "a function" }', [{ name: 'a', value: 'x' }]],
  [
    'function(a=1) a',
    [
      { name: 'a', value: 'first' },
      { name: 'a', value: 'second' },
    ],
  ],
].map(([text, given]) => ({ text: text as string, arguments: given as JsonnetGiven[], files, externalVariables }));

function run({ text, files: imported = {}, externalVariables: variables = [], arguments: given = [] }: JsonnetQuestion): JsonnetAnswer {
  const asArgument = ({ name, value, code = false }: JsonnetGiven) => ({ name, value, isCode: code });
  try {
    const output = evaluateJsonnet({
      name: PROGRAM,
      text,
      externalVariables: variables.map(asArgument),
      topLevelArguments: given.map(asArgument),
      resolveImport(_from, path) {
        const found = imported[path];
        if (found === undefined) throw new Error(`import not available ${path}`);
        return { name: path, bytes: Buffer.from(found) };
      },
    });
    return { output };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message };
    throw error;
  }
}

describeWithTool('jsonnet-oracle', 'Jsonnet, beside go-jsonnet', (tool) => {
  const expectSame = async (questions: readonly JsonnetQuestion[]): Promise<readonly JsonnetAnswer[]> => {
    const answers = await askJsonnetOracle(tool(), questions);
    const different = questions.flatMap((question, at) => {
      const [own, theirs] = [run(question), answers[at] ?? {}];
      const isSame = theirs.error === undefined ? own.output === theirs.output : own.error !== undefined;
      return isSame ? [] : [`${question.text}\n  ours:   ${JSON.stringify(own)}\n  theirs: ${JSON.stringify(theirs)}`];
    });
    expect(different).toEqual([]);
    return answers;
  };

  it('agrees about the language', async () => {
    expect(languagePrograms.length).toBeGreaterThan(250);
    await expectSame(languagePrograms.map((text) => ({ text })));
  });

  it('agrees about the standard library', async () => {
    expect(functionPrograms.length).toBeGreaterThan(800);
    await expectSame(functionPrograms.map((text) => ({ text, externalVariables })));
  });

  it('YAML-04: reads YAML as Kubernetes does', async () => {
    const texts = [...yamlTexts, ...yamlDocuments];
    expect(texts.length).toBeGreaterThan(180);
    await expectSame(texts.map((text) => ({ text: `std.parseYaml(${JSON.stringify(text)})` })));
  });

  it('agrees about imports', async () => {
    await expectSame(imports.map((question) => ({ ...question, externalVariables })));
  });

  it('agrees about programs that are functions', async () => {
    await expectSame(functions);
  });

  it('has the functions that go-jsonnet has', async () => {
    const [theirs] = await askJsonnetOracle(tool(), [{ text: 'std.objectFieldsAll(std)' }]);
    const all = JSON.parse(theirs?.output ?? '[]') as string[];
    const own = JSON.parse(run({ text: 'std.objectFieldsAll(std)' }).output ?? '[]') as string[];
    // Those that its own translation of comprehensions calls are of no use to anybody else.
    expect(own).toEqual(all.filter((name) => !name.startsWith('$')));
  });

  it('agrees about programs that a grammar makes', async () => {
    const questions = Array.from({ length: RANDOM_COUNT }, (_, seed) => ({ text: randomProgram(new SeededRandom(seed), 4) }));
    const answers = await expectSame(questions);
    expect(answers.filter(({ error }) => error === undefined).length).toBeGreaterThan(RANDOM_COUNT / 2);
  });
});
