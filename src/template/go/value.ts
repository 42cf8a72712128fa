/**
 * Values as Go's template language sees them. A JavaScript number is a float64 and a string is a Go string (see bytes.ts for those
 * that are not UTF-8); everything else that JavaScript has no type for is a class of its own. Nothing here has a field that a
 * template could name and that is not its data: fields are entries of a Map.
 */
export type GoValue = boolean | string | number | GoInt | GoList | GoMap | GoStruct | GoFunction;

/** What an `interface {}` may hold: `null` is Go's nil. */
export type GoAny = GoValue | null;

/** What an expression may come to; undefined is what a missing key gives. */
export type GoSlot = GoValue | Boxed | undefined;

/** A value that is known only as an `interface {}`, because it comes out of a map or list of such. */
export class Boxed {
  readonly value: GoAny;

  constructor(value: GoAny) {
    this.value = value;
  }
}

/** Integers of every size, and types made from them such as `time.Duration`. */
export class GoInt {
  readonly type: string;
  readonly value: bigint;
  /** How the value prints where its type says so. */
  readonly text: ((value: bigint) => string) | undefined;
  readonly methods: ReadonlyMap<string, GoFunction>;

  constructor(value: bigint, type = 'int', text?: (value: bigint) => string, methods: ReadonlyMap<string, GoFunction> = new Map()) {
    this.value = value;
    this.type = type;
    this.text = text;
    this.methods = methods;
  }
}

/** A slice. Its items change only through functions that do so in Go, too. */
export class GoList {
  readonly element: string;
  readonly items: GoAny[];
  /** A slice that was never made prints like an empty one, but is `null` in JSON. */
  readonly isNil: boolean;

  constructor(items: GoAny[], element = 'interface {}', isNil = false) {
    this.items = items;
    this.element = element;
    this.isNil = isNil;
  }
}

/** A map with texts as keys. */
export class GoMap {
  readonly element: string;
  readonly entries: Map<string, GoAny>;
  readonly isNil: boolean;

  constructor(entries: Map<string, GoAny>, element = 'interface {}', isNil = false) {
    this.entries = entries;
    this.element = element;
    this.isNil = isNil;
  }
}

/** A struct, or a pointer to one, with the fields and methods that templates may use. */
export class GoStruct {
  readonly type: string;
  readonly fields: ReadonlyMap<string, GoAny>;
  readonly methods: ReadonlyMap<string, GoFunction>;
  readonly text: () => string;
  /** What it is in JSON and YAML, where that is not how it prints. */
  readonly jsonText: (() => string) | undefined;
  /** What a function of ours needs to recognise its own, for example a point in time. */
  readonly inner: unknown;

  constructor(options: {
    type: string;
    fields?: ReadonlyMap<string, GoAny>;
    methods?: ReadonlyMap<string, GoFunction>;
    text: () => string;
    jsonText?: () => string;
    inner?: unknown;
  }) {
    this.type = options.type;
    this.fields = options.fields ?? new Map();
    this.methods = options.methods ?? new Map();
    this.text = options.text;
    this.jsonText = options.jsonText;
    this.inner = options.inner;
  }
}

/** The types of parameters; `value` takes whatever there is, also nothing. */
export type ParameterType = string;

export class GoFunction {
  readonly parameters: readonly ParameterType[];
  /** The type of all further arguments. */
  readonly variadic: ParameterType | undefined;
  readonly call: (args: readonly GoSlot[]) => GoSlot | null;

  constructor(parameters: readonly ParameterType[], variadic: ParameterType | undefined, call: (args: readonly GoSlot[]) => GoSlot | null) {
    this.parameters = parameters;
    this.variadic = variadic;
    this.call = call;
  }
}

/** What `reflect` calls the kind of a value. */
export type GoKind = 'invalid' | 'bool' | 'string' | 'float64' | 'int' | 'uint' | 'slice' | 'map' | 'struct' | 'func';

export function unbox(slot: GoSlot | null): GoAny | undefined {
  return slot instanceof Boxed ? slot.value : slot;
}

/** As `unbox`, where nil and nothing are the same. */
export function plain(slot: GoSlot | null): GoValue | undefined {
  return unbox(slot) ?? undefined;
}

export function kindOf(value: GoAny | undefined): GoKind {
  if (value === undefined || value === null) return 'invalid';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return 'float64';
  if (value instanceof GoInt) return value.type.startsWith('uint') ? 'uint' : 'int';
  if (value instanceof GoList) return 'slice';
  if (value instanceof GoMap) return 'map';
  return value instanceof GoStruct ? 'struct' : 'func';
}

/** The name of a value's type as Go writes it. */
export function typeOf(slot: GoSlot | null): string {
  if (slot instanceof Boxed) return 'interface {}';
  if (slot === undefined || slot === null) return '<nil>';
  if (typeof slot === 'boolean') return 'bool';
  if (typeof slot === 'string') return 'string';
  if (typeof slot === 'number') return 'float64';
  if (slot instanceof GoList) return `[]${slot.element}`;
  if (slot instanceof GoMap) return `map[string]${slot.element}`;
  if (slot instanceof GoFunction) return 'func';
  return slot.type;
}

/** The value that Go gives to what nobody has set. */
export function zeroOf(type: string): GoAny {
  if (type === 'string') return '';
  if (type === 'bool') return false;
  if (type === 'float64') return 0;
  if (/^u?int\d*$/.test(type)) return new GoInt(0n, type);
  if (type.startsWith('[]')) return new GoList([], type.slice(2), true);
  if (type.startsWith('map[string]')) return new GoMap(new Map(), type.slice('map[string]'.length), true);
  return null;
}

/** Whether a condition holds. */
export function isTrue(slot: GoSlot | null): boolean {
  const value = plain(slot);
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return value.length > 0;
  if (typeof value === 'number') return value !== 0;
  if (value instanceof GoInt) return value.value !== 0n;
  if (value instanceof GoList) return value.items.length > 0;
  if (value instanceof GoMap) return value.entries.size > 0;
  return true;
}

/** An item of a list or map as an expression sees it: boxed where the list holds anything. */
export function boxFor(element: string, value: GoAny): GoSlot {
  return element === 'interface {}' ? new Boxed(value) : (value ?? undefined);
}

export function int(value: number | bigint): GoInt {
  return new GoInt(BigInt(value));
}

export function int64(value: number | bigint): GoInt {
  return new GoInt(BigInt.asIntN(64, BigInt(value)), 'int64');
}

export function strings(items: readonly string[], isNil = false): GoList {
  return new GoList([...items], 'string', isNil);
}

/** Keys in the order in which Go walks through and prints maps. */
export function sortedKeys(map: GoMap): string[] {
  return [...map.entries.keys()].sort(compareTexts);
}

/** By code points, as Go compares the bytes of UTF-8. */
export function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (a === b) continue;
    const bothPairs = (a >= 0xd800 && a < 0xe000) === (b >= 0xd800 && b < 0xe000);
    return bothPairs ? a - b : a >= 0xd800 && a < 0xe000 ? 1 : -1;
  }
  return left.length - right.length;
}
