/** Verdicts of casbin, which we did not write, set up as the reference sets it up. */
import { newEnforcer, newModelFromString, StringAdapter, type Enforcer } from 'casbin';

const MODEL = `
[request_definition]
r = sub, res, act, obj

[policy_definition]
p = sub, res, act, obj, eft

[role_definition]
g = _, _

[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))

[matchers]
m = g(r.sub, p.sub) && matches(r.res, p.res) && matches(r.act, p.act) && matches(r.obj, p.obj)
`;

export type OracleMode = 'glob' | 'regex';

export async function createCasbin(lines: readonly string[], mode: OracleMode): Promise<Enforcer> {
  const enforcer = await newEnforcer(newModelFromString(MODEL), new StringAdapter(lines.join('\n')));
  const expressions = new Map<string, RegExp>();
  await enforcer.addFunction('matches', (text: string, pattern: string) => {
    let expression = expressions.get(pattern);
    if (expression === undefined)
      expressions.set(pattern, (expression = mode === 'glob' ? globToExpression(pattern) : new RegExp(pattern)));
    return expression.test(text);
  });
  return enforcer;
}

/** Globs in another way than ours: by translation. Only for patterns that are well formed. */
function globToExpression(pattern: string): RegExp {
  const source = pattern.replaceAll(/\[!|[*?{},[\]]|[^*?{},[\]]/g, (part) => {
    const parts: Readonly<Record<string, string>> = { '*': '.*', '?': '.', '{': '(?:', '}': ')', ',': '|', '[': '[', ']': ']', '[!': '[^' };
    return parts[part] ?? part.replaceAll(/[.+^$()|\\/-]/g, String.raw`\$&`);
  });
  return new RegExp(`^${source}$`, 's');
}
