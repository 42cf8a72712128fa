import { TemplateError } from '../template-error.ts';
import type { JqNode } from './node.ts';

/** Refuses a query that calls a function nobody has defined, before it runs: all of its parts are looked at. */
export function checkNames(node: JqNode, known: readonly string[]): void {
  check(node, new Set(known));
}

function check(value: unknown, known: ReadonlySet<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) check(item, known);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const node = value as JqNode;
  if (node.type === 'literal') return;
  if (node.type === 'define') {
    const { name, parameters, body } = node.definition;
    const outer = new Set([...known, `${name}/${parameters.length}`]);
    check(body, new Set([...outer, ...parameters.map((parameter) => `${parameter.replace('$', '')}/0`)]));
    check(node.body, outer);
    return;
  }
  if (node.type === 'call' && !known.has(`${node.name}/${node.args.length}`))
    throw new TemplateError(`function not defined: ${node.name}/${node.args.length}`);
  for (const part of Object.values(node)) check(part, known);
}
