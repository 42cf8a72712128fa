import { isJsonArray, isJsonObject, type JsonValue } from '../../../../objects/index.ts';

/** All that anybody reads of the items of lists, wherever in them it stands. */
const fieldNames: ReadonlySet<string> = new Set(
  [
    'id uuid iid number pullRequestId name slug path full_path key title displayId',
    'labels topics tag_list archived default_branch defaultBranch mainbranch',
    'clone_url ssh_url html_url ssh_url_to_repo http_url_to_repo remoteUrl links clone href',
    'namespace owner project repository',
    'author createdBy user login nickname username uniqueName',
    'head base ref sha source destination branch fromRef toRef source_branch target_branch sourceRefName targetRefName',
    'commit commitId lastMergeSourceCommit latestCommit target hash',
  ].flatMap((names) => names.split(' ')),
);

/** Nothing that is read stands deeper. */
const depthMax = 8;
/** What a value takes beside its characters. */
const valueBytes = 32;

/**
 * An item of a list without what nobody reads: that is nine tenths of some, and lists of large organisations are held as a whole, twice.
 * `spend` is told what is kept, in bytes.
 */
export function keepFields(item: JsonValue, spend: (bytes: number) => void, depth = 0): JsonValue {
  spend(valueBytes + (typeof item === 'string' ? item.length : 0));
  const isList = isJsonArray(item);
  if (!isList && !isJsonObject(item)) return item;
  if (depth === depthMax) return null;
  if (isList) return item.map((each) => keepFields(each, spend, depth + 1));
  const kept: [string, JsonValue][] = [];
  for (const name of fieldNames) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    if (value !== undefined) kept.push([name, keepFields(value, spend, depth + 1)]);
  }
  return Object.fromEntries(kept);
}
