/** A local variable of a function. What inner functions use lives in a cell of its own, so that it outlasts its block. */
export interface Variable {
  readonly name: string;
  readonly slot: number;
  isCaptured: boolean;
}

/** Where a closure gets a variable from that it does not own: from the function around it, which may have it from further out. */
export type Capture = { readonly from: 'variable'; readonly variable: Variable } | { readonly from: 'capture'; readonly index: number };

export interface FunctionNode {
  readonly type: 'function';
  readonly parameters: readonly Variable[];
  readonly isVariadic: boolean;
  readonly body: Block;
  readonly captures: readonly Capture[];
  readonly slotCount: number;
}

export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '^' | '..' | '==' | '~=' | '<' | '<=' | '>' | '>=' | 'and' | 'or';
export type UnaryOperator = '-' | 'not' | '#';

export interface CallNode {
  readonly type: 'call';
  readonly target: Expression;
  /** The name of a method, whose first argument is the target itself. */
  readonly method: string | undefined;
  readonly args: readonly Expression[];
  readonly line: number;
}

export interface IndexNode {
  readonly type: 'index';
  readonly target: Expression;
  readonly key: Expression;
  readonly line: number;
}

export type NameNode =
  | { readonly type: 'local'; readonly variable: Variable }
  | { readonly type: 'captured'; readonly index: number }
  | { readonly type: 'global'; readonly name: string; readonly line: number };

export type TableField =
  | { readonly type: 'item'; readonly value: Expression }
  | { readonly type: 'entry'; readonly key: Expression; readonly value: Expression; readonly line: number };

export type Expression =
  | NameNode
  | IndexNode
  | CallNode
  | FunctionNode
  | { readonly type: 'constant'; readonly value: undefined | boolean | number | string }
  | { readonly type: 'varargs' }
  | { readonly type: 'table'; readonly fields: readonly TableField[] }
  /** In brackets: one value, where there might be several. */
  | { readonly type: 'single'; readonly value: Expression }
  | { readonly type: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression; readonly line: number }
  | {
      readonly type: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly line: number;
    };

export type Target = NameNode | IndexNode;

export type Statement =
  | { readonly type: 'local'; readonly variables: readonly Variable[]; readonly values: readonly Expression[] }
  | { readonly type: 'local function'; readonly variable: Variable; readonly value: FunctionNode }
  | { readonly type: 'assign'; readonly targets: readonly Target[]; readonly values: readonly Expression[] }
  | { readonly type: 'call'; readonly call: CallNode }
  | { readonly type: 'do'; readonly body: Block }
  | { readonly type: 'while'; readonly condition: Expression; readonly body: Block }
  | { readonly type: 'repeat'; readonly condition: Expression; readonly body: Block }
  | {
      readonly type: 'if';
      readonly branches: readonly { readonly condition: Expression; readonly body: Block }[];
      readonly otherwise: Block;
    }
  | {
      readonly type: 'count';
      readonly variable: Variable;
      readonly from: Expression;
      readonly to: Expression;
      readonly step: Expression | undefined;
      readonly body: Block;
      readonly line: number;
    }
  | {
      readonly type: 'each';
      readonly variables: readonly Variable[];
      readonly values: readonly Expression[];
      readonly body: Block;
      readonly line: number;
    }
  | { readonly type: 'return'; readonly values: readonly Expression[] }
  | { readonly type: 'break' }
  | { readonly type: 'goto'; readonly label: string }
  | { readonly type: 'label'; readonly name: string };

export type Block = readonly Statement[];
