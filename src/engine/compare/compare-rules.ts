import type { KnownType } from './known-types.ts';

/** Parts of objects that do not count when they are compared, and of which objects. */
export interface IgnoreRule {
  /** A pattern; empty means the core group. */
  readonly group: string;
  /** A pattern. */
  readonly kind: string;
  /** Empty or absent means any. */
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly jsonPointers?: readonly string[] | undefined;
  readonly jqPathExpressions?: readonly string[] | undefined;
  readonly managedFieldsManagers?: readonly string[] | undefined;
}

/** How objects are compared: the settings of the installation and the application's own rules together. */
export interface CompareRules {
  readonly ignore: readonly IgnoreRule[];
  /** Of the application: a rule that takes too long for the objects of one project is followed for others. */
  readonly project?: string | undefined;
  /** Roles that are put together from others: their rules are not the source's to say. */
  readonly ignoreAggregatedRoles: boolean;
  /** Where differences in `status` do not count. */
  readonly ignoreStatus: 'all' | 'crd' | 'none';
  /** The application's sync options. */
  readonly syncOptions: readonly string[];
  /** Annotations of Secrets that are masked like their data. */
  readonly sensitiveAnnotations: readonly string[];
  /** Fields of custom kinds that are of built-in types, beyond those that are known anyway. */
  readonly knownTypes?: readonly KnownType[] | undefined;
}

export const defaultCompareRules: CompareRules = Object.freeze({
  ignore: [],
  ignoreAggregatedRoles: false,
  ignoreStatus: 'all',
  syncOptions: [],
  sensitiveAnnotations: [],
});

interface RuleLists {
  readonly jsonPointers: readonly string[];
  readonly jqPathExpressions: readonly string[];
  readonly managedFieldsManagers: readonly string[];
}

/** The known types of the settings, with the same keys. */
export function knownTypesOfSettings(
  overrides: ReadonlyMap<string, { readonly knownTypeFields: readonly { readonly field: string; readonly type: string }[] }>,
): readonly KnownType[] {
  return [...overrides].flatMap(([key, { knownTypeFields }]) => {
    const at = key.indexOf('/');
    return knownTypeFields.map(({ field, type }) => ({ group: at < 0 ? '' : key.slice(0, at), kind: key.slice(at + 1), field, type }));
  });
}

/** The ignore rules of the settings: keys are `<group>/<Kind>`, `<Kind>` for core kinds, or two stars with a slash for all. */
export function ignoreRulesOfSettings(
  overrides: ReadonlyMap<string, { readonly ignoreDifferences: RuleLists | undefined }>,
): readonly IgnoreRule[] {
  return [...overrides].flatMap(([key, { ignoreDifferences }]) => {
    if (ignoreDifferences === undefined) return [];
    const at = key.indexOf('/');
    return [{ group: at < 0 ? '' : key.slice(0, at), kind: key.slice(at + 1), ...ignoreDifferences }];
  });
}
