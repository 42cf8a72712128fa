import { TemplateError } from '../template-error.ts';
import type { Block, Statement } from './node.ts';

/** Refuses a jump to a label that is not in a block around it, a label that is twice in its block, and a `break` outside of loops. */
export function checkLabels(block: Block, around: readonly string[] = [], isInLoop = false): void {
  const own = block.flatMap((statement) => (statement.type === 'label' ? [statement.name] : []));
  const twice = own.find((name, index) => own.indexOf(name) !== index);
  if (twice !== undefined) throw new TemplateError(`<string>: label '${twice}' already defined`);
  const visible = [...around, ...own];
  for (const statement of block) {
    if (statement.type === 'goto' && !visible.includes(statement.label))
      throw new TemplateError(`<string>: no visible label '${statement.label}' for goto`);
    if (statement.type === 'break' && !isInLoop) throw new TemplateError('<string>: no loop to break');
    const isLoop = isInLoop || ['while', 'repeat', 'count', 'each'].includes(statement.type);
    for (const inner of blocksOf(statement)) checkLabels(inner, visible, isLoop);
  }
}

function blocksOf(statement: Statement): readonly Block[] {
  if (statement.type === 'if') return [...statement.branches.map(({ body }) => body), statement.otherwise];
  return 'body' in statement ? [statement.body] : [];
}
