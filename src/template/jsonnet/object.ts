import type { Visibility } from './node.ts';
import type { Runtime } from './runtime.ts';
import { compareTexts } from './text.ts';
import type { Frame, Slot, Value } from './value.ts';
import { force } from './value.ts';

export interface FieldDefinition {
  readonly visibility: Visibility;
  /** The value that the field has in an object of which this is the layer with that number. */
  evaluate(object: JsonnetObject, layer: number, name: string): Value;
}

/** One object as it was written; objects that were added to each other have several. */
export interface Layer {
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  /** What bodies and assertions of the layer see in an object. */
  readonly bind?: (object: JsonnetObject, layer: number) => Frame;
  readonly assertions: readonly ((frame: Frame) => void)[];
  /** A field of the layers below that is there no more. */
  readonly removed?: string;
}

const LAYERS_WITHOUT_INDEX = 4;
const NOTHING: Layer = { fields: new Map(), assertions: [] };

export class JsonnetObject {
  /** What was there first comes first; later layers are stronger. */
  readonly layers: readonly Layer[];
  readonly #values: (Map<string, Value> | undefined)[] = [];
  readonly #frames: (Frame | undefined)[] = [];
  #assertions: 'unchecked' | 'running' | 'met' = 'unchecked';
  #index: Map<string, number> | undefined;
  #names: { readonly all: readonly string[]; readonly visible: readonly string[]; readonly hidden: ReadonlySet<string> } | undefined;

  constructor(layers: readonly Layer[]) {
    this.layers = layers;
  }

  /** The variables that a layer's bodies see, made once. */
  frame(layer: number): Frame {
    let frame = this.#frames[layer];
    if (frame === undefined) {
      const bind = this.layers[layer]?.bind;
      if (bind === undefined) throw new Error('a layer without variables is asked for them');
      frame = bind(this, layer);
      this.#frames[layer] = frame;
    }
    return frame;
  }

  /** The strongest layer below another that has the field, or -1. */
  find(name: string, below: number = this.layers.length): number {
    if (below === this.layers.length && below > LAYERS_WITHOUT_INDEX) return this.#indexed().get(name) ?? -1;
    for (let layer = below - 1; layer >= 0; layer -= 1) {
      const { fields, removed } = this.layers[layer] ?? NOTHING;
      if (fields.has(name)) return layer;
      if (removed === name) return -1;
    }
    return -1;
  }

  /** The value of a field that is there, as the layer `find` gave has it. */
  valueAt(runtime: Runtime, name: string, layer: number): Value {
    const known = (this.#values[layer] ??= new Map<string, Value>());
    let value = known.get(name);
    if (value === undefined) {
      const definition = this.layers[layer]?.fields.get(name);
      if (definition === undefined) throw new Error('a field is asked for that is not there');
      runtime.enter();
      value = definition.evaluate(this, layer, name);
      runtime.leave();
      known.set(name, value);
    }
    return value;
  }

  /** The value of a field; fails where it is not there, or where the object's assertions do not hold. */
  get(runtime: Runtime, name: string): Value {
    this.check(runtime);
    const layer = this.find(name);
    if (layer < 0) throw runtime.fail(`Field does not exist: ${name}`);
    return this.valueAt(runtime, name, layer);
  }

  /** Makes sure, once, that all assertions hold. While that is done, they may look at the object. */
  check(runtime: Runtime): void {
    if (this.#assertions !== 'unchecked') return;
    this.#assertions = 'running';
    for (const [layer, { assertions }] of [...this.layers.entries()].toReversed())
      for (const assertion of assertions) {
        runtime.enter();
        assertion(this.frame(layer));
        runtime.leave();
      }
    this.#assertions = 'met';
  }

  /** In the order of code points. */
  names(includeHidden: boolean): readonly string[] {
    const names = this.#knownNames();
    return includeHidden ? names.all : names.visible;
  }

  has(name: string, includeHidden: boolean): boolean {
    return this.find(name) >= 0 && (includeHidden || !this.#knownNames().hidden.has(name));
  }

  #knownNames() {
    if (this.#names === undefined) {
      const seen = new Map<string, Visibility>();
      for (const { fields, removed } of this.layers) {
        if (removed !== undefined) seen.delete(removed);
        for (const [name, { visibility }] of fields) {
          const before = seen.get(name);
          seen.set(name, visibility === 'inherited' && before !== undefined ? before : visibility);
        }
      }
      const all = [...seen.keys()].sort(compareTexts);
      const hidden = new Set(all.filter((name) => seen.get(name) === 'hidden'));
      this.#names = { all, visible: all.filter((name) => !hidden.has(name)), hidden };
    }
    return this.#names;
  }

  #indexed(): Map<string, number> {
    if (this.#index === undefined) {
      this.#index = new Map();
      for (const [layer, { fields, removed }] of this.layers.entries()) {
        if (removed !== undefined) this.#index.delete(removed);
        for (const name of fields.keys()) this.#index.set(name, layer);
      }
    }
    return this.#index;
  }
}

/** An object of fields that depend on nothing else. */
export function objectOf(fields: Iterable<readonly [string, Slot]>, visibility: Visibility = 'inherited'): JsonnetObject {
  const definitions = new Map<string, FieldDefinition>();
  for (const [name, slot] of fields) definitions.set(name, { visibility, evaluate: () => force(slot) });
  return new JsonnetObject([{ fields: definitions, assertions: [] }]);
}
