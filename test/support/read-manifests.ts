import { parseAllDocuments } from 'yaml';

/** Kubernetes has no type for these: they stay the text that they are. */
const TIMESTAMP = 'tag:yaml.org,2002:timestamp';

/** The objects in what a tool wrote, without what is empty. Tools read YAML 1.1, where `yes` is a boolean. */
export function parseYamlDocuments(text: string): unknown[] {
  return parseAllDocuments(text, {
    version: '1.1',
    customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || tag.tag !== TIMESTAMP),
  }).flatMap((document) => {
    const value: unknown = document.toJS();
    return value === null || value === undefined ? [] : [value];
  });
}
