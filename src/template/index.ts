/** The small languages that users write: Go templates with their functions, simple substitution, jq paths. Pure, and bounded in all they do. */
export { applicationSetFunctions, normalizeName, notificationFunctions } from './application-set-functions.ts';
export { compileGoTemplate } from './go-template/compile-go-template.ts';
export { define as goFunction, GoError } from './go/go-function.ts';
export { isTemplate, renderFastTemplate } from './fast-template.ts';
export { formatValue } from './go/format-value.ts';
export { fromJson, integer, textList, textMap } from './go/from-json.ts';
export { compileJq, compileJqDeletion } from './jq/compile-jq.ts';
export { GoInt, GoList, GoMap } from './go/value.ts';
export { parseYaml } from './yaml/parse-yaml.ts';
export { parseYamlDocuments, YamlError } from './yaml/parse-documents.ts';
export { LimitError, TemplateError } from './template-error.ts';
export type { FunctionLibrary, GoTemplate, GoTemplateOptions } from './go-template/compile-go-template.ts';
export type { JqQuery } from './jq/compile-jq.ts';
export type { GoAny, GoFunction } from './go/value.ts';
export type { TemplateEnvironment } from './sprig/environment.ts';
export type { YamlLimits } from './yaml/to-json.ts';
