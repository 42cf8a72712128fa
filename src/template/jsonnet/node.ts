/** What a program consists of once it is read. Every node knows where it begins. */
export type Node = { readonly offset: number } & (
  | { readonly kind: 'literal'; readonly value: null | boolean | number | string }
  | { readonly kind: 'self' }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'array'; readonly items: readonly Node[] }
  | { readonly kind: 'arrayComprehension'; readonly item: Node; readonly clauses: readonly Clause[] }
  | { readonly kind: 'object'; readonly members: ObjectMembers }
  | {
      readonly kind: 'objectComprehension';
      readonly field: Field;
      readonly locals: readonly Binding[];
      readonly clauses: readonly Clause[];
    }
  | { readonly kind: 'index'; readonly target: Node; readonly name: Node }
  | { readonly kind: 'super'; readonly name: Node }
  | { readonly kind: 'inSuper'; readonly name: Node }
  | { readonly kind: 'slice'; readonly target: Node; readonly bounds: readonly (Node | undefined)[] }
  | CallNode
  | { readonly kind: 'local'; readonly bindings: readonly Binding[]; readonly body: Node }
  | { readonly kind: 'if'; readonly branches: readonly Branch[]; readonly otherwise: Node | undefined }
  | { readonly kind: 'function'; readonly parameters: readonly Parameter[]; readonly body: Node }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Node }
  | { readonly kind: 'error'; readonly message: Node }
  | { readonly kind: 'assert'; readonly assertion: Assertion; readonly body: Node }
  | { readonly kind: 'import'; readonly form: 'code' | 'text' | 'bytes'; readonly path: string }
);

export interface CallNode {
  readonly kind: 'call';
  readonly target: Node;
  readonly positional: readonly Node[];
  readonly named: readonly { readonly name: string; readonly value: Node }[];
  /** `tailstrict`: arguments are evaluated before the call, and the call takes the place of its caller. */
  readonly isStrict: boolean;
}

/** Of several, with `else if` between them, the first whose condition holds counts. */
export interface Branch {
  readonly condition: Node;
  readonly whenTrue: Node;
  readonly offset: number;
}

export interface Binding {
  readonly name: string;
  readonly value: Node;
  readonly offset: number;
}

export interface Parameter {
  readonly name: string;
  readonly standard: Node | undefined;
}

export interface Assertion {
  readonly condition: Node;
  readonly message: Node | undefined;
  readonly offset: number;
}

export type Visibility = 'inherited' | 'hidden' | 'visible';

export interface Field {
  readonly name: Node;
  /** `[name]`. */
  readonly isComputed: boolean;
  /** `+:`, which adds to what the field was before. */
  readonly isAddition: boolean;
  readonly visibility: Visibility;
  readonly body: Node;
}

export interface ObjectMembers {
  readonly fields: readonly Field[];
  readonly locals: readonly Binding[];
  readonly assertions: readonly Assertion[];
}

export type Clause =
  | { readonly kind: 'for'; readonly name: string; readonly list: Node }
  | { readonly kind: 'if'; readonly condition: Node };
