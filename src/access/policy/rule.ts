import { compilePattern, type MatchMode, type Pattern } from './compile-pattern.ts';
import { formatRule, type RuleLine } from './parse-policy.ts';

/** A line of a policy with its patterns ready to be asked. */
export interface Rule {
  readonly line: RuleLine;
  readonly resource: Pattern;
  readonly action: Pattern;
  readonly object: Pattern;
}

const everything: Pattern = { exact: undefined, prefix: '', matches: () => true };

/**
 * Rules by their subject. An allowing rule with a pattern that cannot be read is left out. So is a denying one among globs, where such a
 * pattern matches nothing; among regular expressions it denies whatever the other patterns leave, as a mistake must not open anything.
 */
export function compileRules(
  lines: readonly RuleLine[],
  mode: MatchMode,
): { readonly bySubject: Map<string, Rule[]>; readonly problems: string[] } {
  const bySubject = new Map<string, Rule[]>();
  const problems: string[] = [];
  const patterns = new Map<string, Pattern | undefined>();
  const compile = (text: string, isDenial: boolean): Pattern | undefined => {
    const key = `${isDenial} ${text}`;
    // One that cannot be asked to its end must not open anything.
    if (!patterns.has(key)) patterns.set(key, compilePattern(text, mode, isDenial));
    return patterns.get(key);
  };
  for (const line of lines) {
    const [resource, action, object] = [line.resource, line.action, line.object].map((text) => compile(text, line.effect === 'deny'));
    const isReadable = resource !== undefined && action !== undefined && object !== undefined;
    if (!isReadable) problems.push(`a pattern cannot be read as a ${mode === 'glob' ? 'glob' : 'regular expression'}: ${formatRule(line)}`);
    if (!isReadable && (line.effect === 'allow' || mode === 'glob')) continue;
    const rules = bySubject.get(line.subject) ?? [];
    rules.push({ line, resource: resource ?? everything, action: action ?? everything, object: object ?? everything });
    bySubject.set(line.subject, rules);
  }
  return { bySubject, problems };
}
