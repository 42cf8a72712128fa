/** What code must not say: ways round the types, tests switched off, notes to ourselves, hidden inputs. */
import { Visitor, type VisitorObject } from 'oxc-parser';
import { type Finding, perFile, type Rule } from './rule.ts';
import { lineAt, type SourceFile } from './source-file.ts';

type Place = Omit<Finding, 'path'>;
type Report = (node: { start: number }, message: string) => void;

const PURE_ROOMS: readonly string[] = ['objects', 'model', 'template', 'engine'];
const TEST_FUNCTIONS: readonly string[] = ['it', 'test', 'describe', 'suite', 'bench'];
const SWITCHES: readonly string[] = ['only', 'skip', 'todo'];
const PROCESS_INPUTS: readonly string[] = ['env', 'argv'];
const IMPURE_GLOBALS: readonly string[] = ['setTimeout', 'setInterval', 'setImmediate', 'fetch'];
const IMPURE_CALLS: readonly string[] = ['Date.now', 'Math.random', 'performance.now', 'crypto.randomUUID', 'crypto.getRandomValues'];
const IMPURE_MODULES =
  /^(?:node:)?(?:fs|net|tls|http|https|http2|dgram|dns|child_process|cluster|worker_threads|timers|sqlite|os|process|readline|inspector)(?:\/|$)/;

export const types: Rule = perFile('types', (file) => [
  ...findInComments(file, /@ts-(?:ignore|nocheck|expect-error)\b/, 'fix the type instead of silencing it'),
  ...walk(file, (report) => ({
    TSAnyKeyword: (node) => report(node, 'no `any`: parse unknown data, or name the type'),
  })),
]);

export const tests: Rule = perFile('tests', (file) =>
  walk(file, (report) => ({
    MemberExpression: (node) => {
      if (node.property.type !== 'Identifier' || !SWITCHES.includes(node.property.name)) return;
      if (TEST_FUNCTIONS.includes(rootName(node))) report(node, `no .${node.property.name}: a test runs or is not there`);
    },
    CallExpression: (node) => {
      const { callee } = node;
      if (callee.type === 'Identifier' && /^(?:[xf](?:it|test|describe))$/.test(callee.name)) report(node, `no ${callee.name}`);
    },
  })),
);

export const notes: Rule = perFile('notes', (file) =>
  findInComments(file, /\b(?:TODO|FIXME|XXX|HACK)\b/, 'no notes to ourselves: do it, or open an issue'),
);

export const inputs: Rule = perFile('inputs', (file) => {
  if (file.room === undefined || file.room === 'main') return [];
  return walk(file, (report) => ({
    MemberExpression: (node) => {
      if (node.object.type !== 'Identifier' || node.object.name !== 'process' || node.property.type !== 'Identifier') return;
      if (PROCESS_INPUTS.includes(node.property.name)) report(node, `only src/main reads process.${node.property.name}`);
    },
    VariableDeclarator: (node) => {
      if (node.init?.type === 'Identifier' && node.init.name === 'process' && node.id.type === 'ObjectPattern') {
        report(node, 'only src/main takes process apart');
      }
    },
    ImportDeclaration: (node) => {
      if (/^(?:node:)?process$/.test(node.source.value)) report(node, 'only src/main imports process');
    },
  }));
});

export const purity: Rule = perFile('purity', (file) => {
  if (!PURE_ROOMS.includes(file.room ?? '') || file.isTest) return [];
  const imports = (file.code?.imports ?? []).filter(({ specifier }) => IMPURE_MODULES.test(specifier));
  return [
    ...imports.map(({ specifier, line }) => ({ line, message: `${file.room} is pure: no ${specifier}` })),
    ...walk(file, (report) => ({
      CallExpression: ({ callee, start }) => {
        if (callee.type === 'Identifier' && IMPURE_GLOBALS.includes(callee.name))
          report({ start }, `${file.room} is pure: no ${callee.name}`);
      },
      MemberExpression: (node) => {
        const name = node.property.type === 'Identifier' ? `${rootName(node)}.${node.property.name}` : '';
        if (IMPURE_CALLS.includes(name)) report(node, `${file.room} is pure: no ${name}`);
      },
      NewExpression: (node) => {
        const isClock = node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0;
        if (isClock) report(node, `${file.room} is pure: no clock`);
      },
    })),
  ];
});

function walk(file: SourceFile, visitor: (report: Report) => VisitorObject): Place[] {
  if (!file.code) return [];
  const found: Place[] = [];
  const report: Report = ({ start }, message) => found.push({ line: lineAt(file.text, start), message });
  new Visitor(visitor(report)).visit(file.code.program);
  return found;
}

function findInComments({ text, code }: SourceFile, pattern: RegExp, message: string): Place[] {
  return (code?.comments ?? []).flatMap(({ value, start }) => (pattern.test(value) ? [{ line: lineAt(text, start), message }] : []));
}

/** The name at the bottom of `a.b.c` or `a.b(…).c`. */
function rootName(node: { object?: unknown; callee?: unknown; type: string; name?: unknown }): string {
  const below = node.object ?? node.callee;
  if (below !== undefined) return rootName(below as Parameters<typeof rootName>[0]);
  return node.type === 'Identifier' && typeof node.name === 'string' ? node.name : '';
}
