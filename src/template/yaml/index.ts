/** YAML as Kubernetes reads it: a door of its own, so that a thread that reads manifests need not load all the other languages. */
export { parseYamlDocuments, YamlError } from './parse-documents.ts';
export type { YamlLimits } from './to-json.ts';
