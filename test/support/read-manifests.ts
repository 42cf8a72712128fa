import { parseAllDocuments } from 'yaml';

/** The objects in what a tool wrote, without what is empty. Tools read YAML 1.1, where `yes` is a boolean. */
export function parseYamlDocuments(text: string): unknown[] {
  return parseAllDocuments(text, { version: '1.1' }).flatMap((document) => {
    const value: unknown = document.toJS();
    return value === null || value === undefined ? [] : [value];
  });
}
