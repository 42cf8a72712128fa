/** The YAML that some keys hold. */
import {
  decodeBoolean,
  decodeFields,
  decodeList,
  decodeListOrNone,
  decodeNeededText,
  decodeObject,
  decodeText,
  decodeTextList,
  decodeTextOrNone,
  parseYamlAs,
  type Decode,
} from '../parsing/decode.ts';
import { BadValue, type Parse } from '../parsing/bad-value.ts';
import { parseWebUrl } from '../parsing/parse-text.ts';

/** A link to elsewhere, shown beside an application, a project or a resource. */
const decodeLink = decodeFields({
  url: decodeNeededText,
  title: decodeNeededText,
  description: decodeTextOrNone,
  'icon.class': decodeTextOrNone,
  if: decodeTextOrNone,
});
export type DeepLink = ReturnType<typeof decodeLink>;
export const parseLinks: Parse<readonly DeepLink[]> = parseYamlAs(decodeList(decodeLink));

const decodeLabelSelector = decodeFields({
  matchLabels: decodeObject,
  matchExpressions: decodeList(decodeFields({ key: decodeNeededText, operator: decodeNeededText, values: decodeTextList })),
});
const decodeGlobalProject = decodeFields({ projectName: decodeNeededText, labelSelector: decodeLabelSelector });
export type GlobalProject = ReturnType<typeof decodeGlobalProject>;
export const parseGlobalProjects: Parse<readonly GlobalProject[]> = parseYamlAs(decodeList(decodeGlobalProject));

/** Which kinds of which clusters are meant; an empty list means all of them. */
const decodeResourceFilter = decodeFields({ apiGroups: decodeTextList, kinds: decodeTextList, clusters: decodeTextList });
export type ResourceFilter = ReturnType<typeof decodeResourceFilter>;
export const parseResourceFilters: Parse<readonly ResourceFilter[]> = parseYamlAs(decodeList(decodeResourceFilter));

const statusFieldChoices = ['all', 'crd', 'none', 'off', 'false'] as const;

/** Where differences in `status` are ignored. YAML reads `off` and `false` as a boolean. */
const decodeStatusField: Decode<'all' | 'crd' | 'none'> = (value, at) => {
  if (value === undefined || value === null || value === '') return 'all';
  const text = value === false ? 'false' : decodeText(value, at);
  const choice = statusFieldChoices.find((one) => one === text);
  if (choice === undefined) throw new BadValue(`${at} is none of ${statusFieldChoices.join(', ')}`);
  return choice === 'all' || choice === 'crd' ? choice : 'none';
};
const decodeCompareOptions = decodeFields({
  ignoreAggregatedRoles: decodeBoolean(false),
  ignoreResourceStatusField: decodeStatusField,
  ignoreDifferencesOnResourceUpdates: decodeBoolean(true),
});
export type CompareOptions = ReturnType<typeof decodeCompareOptions>;
export const parseCompareOptions: Parse<CompareOptions> = parseYamlAs(decodeCompareOptions);
export const defaultCompareOptions: CompareOptions = Object.freeze(decodeCompareOptions(null, ''));

/** Parts of an object that do not count when it is compared. */
export const decodeIgnoreRules = decodeFields({
  jsonPointers: decodeTextList,
  jqPathExpressions: decodeTextList,
  managedFieldsManagers: decodeTextList,
});
export type IgnoreRules = ReturnType<typeof decodeIgnoreRules>;
export const parseIgnoreRules: Parse<IgnoreRules> = parseYamlAs(decodeIgnoreRules);

const decodeKnownTypeField = decodeFields({ field: decodeNeededText, type: decodeNeededText });
export type KnownTypeField = ReturnType<typeof decodeKnownTypeField>;
export const decodeKnownTypeFields: Decode<readonly KnownTypeField[]> = decodeList(decodeKnownTypeField);
export const parseKnownTypeFields: Parse<readonly KnownTypeField[]> = parseYamlAs(decodeKnownTypeFields);

const decodeResourceActions = decodeFields({
  'discovery.lua': decodeText,
  definitions: decodeList(decodeFields({ name: decodeNeededText, 'action.lua': decodeText })),
  mergeBuiltinActions: decodeBoolean(false),
});
export type ResourceActions = ReturnType<typeof decodeResourceActions>;
export const parseResourceActions: Parse<ResourceActions> = parseYamlAs(decodeResourceActions);

const decodeUrl: Decode<string> = (value, at) => {
  const text = decodeNeededText(value, at);
  try {
    return parseWebUrl(text, () => undefined);
  } catch {
    throw new BadValue(`${at} is not an http or https address`);
  }
};
export const parseUrlList: Parse<readonly string[]> = parseYamlAs(decodeList(decodeUrl));
/** No list and an empty one differ: the claims of the default apply only without a list. */
export const parseScopes: Parse<readonly string[]> = (text, note) =>
  parseYamlAs(decodeListOrNone(decodeNeededText))(text, note) ?? defaultScopes;
export const defaultScopes: readonly string[] = Object.freeze(['groups']);
