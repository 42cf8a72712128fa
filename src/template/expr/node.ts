import type { JsonValue } from '../../objects/index.ts';

/** An expression, read. */
export type ExprNode =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'name'; readonly name: string }
  /** `#`, the element that a predicate is about; with a name, a member of it. */
  | { readonly kind: 'element' }
  | { readonly kind: 'list'; readonly items: readonly ExprNode[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [ExprNode, ExprNode])[] }
  | { readonly kind: 'member'; readonly of: ExprNode; readonly key: ExprNode; readonly optional: boolean }
  | { readonly kind: 'slice'; readonly of: ExprNode; readonly from: ExprNode | undefined; readonly to: ExprNode | undefined }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: ExprNode }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: ExprNode; readonly right: ExprNode }
  | { readonly kind: 'choice'; readonly condition: ExprNode; readonly chosen: ExprNode; readonly otherwise: ExprNode }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly ExprNode[] }
  /** `{ … }` as an argument: evaluated for each element. */
  | { readonly kind: 'predicate'; readonly body: ExprNode };
