import type { Parse } from './parsing/bad-value.ts';

/** Whether Fairway acts on a key: it does, or it will when the feature is there that the key belongs to. */
export type SettingUse = 'used' | 'planned';

interface Described {
  /** What the key does, in a sentence for the documentation. */
  readonly doc: string;
  readonly use: SettingUse;
}

/** One key of a ConfigMap or Secret. */
export interface Setting<Value> extends Described {
  readonly kind: 'one';
  readonly key: string;
  readonly parse: Parse<Value>;
  /** In force while the key is absent. */
  readonly fallback: Value;
  /** In force while the value is bad and there was no good one before: the default, unless that would be dangerous. */
  readonly whenBad: Value;
  /** The default in words, where the value itself would not say it. */
  readonly fallbackText: string | undefined;
}

/** Many keys of one form, such as `kustomize.path.<version>`; what stands for the part in angle brackets names each value. */
export interface SettingFamily<Value> extends Described {
  readonly kind: 'many';
  readonly key: string;
  readonly parse: Parse<Value>;
  /** Names that belong to this family; all but the empty one unless given. */
  readonly names: RegExp;
}

// A table holds settings of many types; each is only ever parsed and stored with its own.
export type SettingTable = Readonly<Record<string, Setting<unknown> | SettingFamily<unknown>>>;

export type SettingValues<Table extends SettingTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value>
    ? Value
    : Table[Name] extends SettingFamily<infer Value>
      ? ReadonlyMap<string, Value>
      : never;
};

interface SettingOptions<Value> {
  readonly parse: Parse<Value>;
  readonly fallback: NoInfer<Value>;
  readonly whenBad?: NoInfer<Value>;
  readonly fallbackText?: string;
  readonly doc: string;
  readonly use?: SettingUse;
}

export function setting<Value>(key: string, options: SettingOptions<Value>): Setting<Value> {
  const { parse, fallback, whenBad = fallback, fallbackText, doc, use = 'planned' } = options;
  return { kind: 'one', key, parse, fallback, whenBad, fallbackText, doc, use };
}

interface FamilyOptions<Value> {
  readonly parse: Parse<Value>;
  readonly doc: string;
  readonly use?: SettingUse;
  readonly names?: RegExp;
}

export function settingFamily<Value>(key: string, options: FamilyOptions<Value>): SettingFamily<Value> {
  const { parse, doc, use = 'planned', names = /^[^]+$/ } = options;
  return { kind: 'many', key, parse, doc, use, names };
}

/** The name in a key of a family, undefined for other keys. */
export function nameInFamily({ key, names }: SettingFamily<unknown>, candidate: string): string | undefined {
  const [before = '', after = ''] = key.split(/<[^>]+>/);
  if (candidate.length <= before.length + after.length || !candidate.startsWith(before) || !candidate.endsWith(after)) return undefined;
  const name = candidate.slice(before.length, candidate.length - after.length);
  return names.test(name) ? name : undefined;
}
