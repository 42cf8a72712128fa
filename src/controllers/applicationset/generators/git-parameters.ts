import { ApiError, Code } from '../../../base/index.ts';
import { deepCopy, GoList, GoMap, normalizeName, parseYaml, TemplateError, textList, type GoAny } from '../../../template/index.ts';
import { flatten } from './flatten.ts';
import type { ParameterSet } from './generator.ts';
import { parametersOf } from './values.ts';

export interface PathOptions {
  readonly goTemplate: boolean;
  /** Before the names of parameters about the path; may be empty. */
  readonly prefix: string;
}

/** What is said of a folder, or of a file in a folder. */
export function describePath(folder: string, filename: string | undefined, { goTemplate, prefix }: PathOptions): ParameterSet {
  const segments = folder.split('/').filter((segment) => segment !== '');
  const basename = segments.at(-1) ?? folder;
  const named: Record<string, string> = {
    basename,
    basenameNormalized: normalizeName(basename),
    ...(filename !== undefined && { filename, filenameNormalized: normalizeName(filename) }),
  };
  if (goTemplate) {
    const path = new GoMap(new Map<string, GoAny>([['path', folder], ...Object.entries(named), ['segments', textList(segments)]]));
    const about = new GoMap(new Map([['path', path]]));
    return prefix === '' ? about : new GoMap(new Map([[prefix, about]]));
  }
  const path = prefix === '' ? 'path' : `${prefix}.path`;
  return new GoMap(
    new Map<string, GoAny>([
      [path, folder],
      ...Object.entries(named).map(([key, value]): [string, GoAny] => [`${path}.${key}`, value]),
      ...segments.map((segment, index): [string, GoAny] => [`${path}[${index}]`, segment]),
    ]),
  );
}

/** The objects in a file; an empty file has one without anything in it. */
export function readObjects(text: string): readonly GoMap[] {
  let value: GoAny;
  try {
    value = parseYaml(text);
  } catch (error) {
    if (error instanceof TemplateError) throw new ApiError(Code.InvalidArgument, `unable to parse file: ${error.message}`);
    throw error;
  }
  if (value === null) return [new GoMap(new Map())];
  if (value instanceof GoMap) return [value];
  if (value instanceof GoList && value.items.every((item) => item instanceof GoMap)) return value.items as readonly GoMap[];
  throw new ApiError(Code.InvalidArgument, 'unable to parse file: it holds neither an object nor a list of objects');
}

/** The parameters from an object of a file, and from where the file is, which wins. */
export function describeFile(object: GoMap, path: string, options: PathOptions): ParameterSet {
  const slash = path.lastIndexOf('/');
  const about = describePath(slash < 0 ? '.' : path.slice(0, slash), path.slice(slash + 1), options);
  // The object is remembered, and a template may change what it is given.
  return parametersOf(options.goTemplate ? (deepCopy(object) as GoMap).entries : flatten(object), about.entries);
}
