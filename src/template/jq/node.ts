import type { JsonValue } from '../../objects/index.ts';

/** The parts of a jq query. */
export type JqNode =
  | { readonly type: 'identity' | 'recurse' }
  | { readonly type: 'literal'; readonly value: JsonValue }
  | { readonly type: 'index'; readonly target: JqNode; readonly key: JqNode }
  | { readonly type: 'slice'; readonly target: JqNode; readonly from: JqNode | undefined; readonly to: JqNode | undefined }
  | { readonly type: 'iterate' | 'optional'; readonly target: JqNode }
  | { readonly type: 'pipe' | 'comma' | 'alternative' | 'and' | 'or'; readonly left: JqNode; readonly right: JqNode }
  | { readonly type: 'binary' | 'assign'; readonly operator: string; readonly left: JqNode; readonly right: JqNode }
  | { readonly type: 'negate'; readonly target: JqNode }
  | { readonly type: 'array'; readonly body: JqNode | undefined }
  | { readonly type: 'object'; readonly entries: readonly (readonly [JqNode, JqNode])[] }
  | { readonly type: 'text'; readonly parts: readonly (string | JqNode)[]; readonly format: string }
  | { readonly type: 'if'; readonly condition: JqNode; readonly body: JqNode; readonly otherwise: JqNode }
  | { readonly type: 'try'; readonly body: JqNode; readonly handler: JqNode | undefined }
  | { readonly type: 'reduce'; readonly source: JqNode; readonly pattern: Pattern; readonly start: JqNode; readonly update: JqNode }
  | {
      readonly type: 'foreach';
      readonly source: JqNode;
      readonly pattern: Pattern;
      readonly start: JqNode;
      readonly update: JqNode;
      readonly extract: JqNode;
    }
  | { readonly type: 'bind'; readonly source: JqNode; readonly pattern: Pattern; readonly body: JqNode }
  | { readonly type: 'define'; readonly definition: Definition; readonly body: JqNode }
  | { readonly type: 'label'; readonly name: string; readonly body: JqNode }
  | { readonly type: 'break' | 'variable' | 'format'; readonly name: string }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly JqNode[] };

/** What a value is taken apart into. */
export type Pattern =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'list'; readonly items: readonly Pattern[] }
  | {
      readonly type: 'fields';
      readonly fields: readonly { readonly key: JqNode; readonly name: string | undefined; readonly pattern: Pattern | undefined }[];
    };

export interface Definition {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: JqNode;
}
