/** The small languages that users write: Go templates with their functions, simple substitution, jq paths. Pure, and bounded in all they do. */
export { compileGoTemplate } from './go-template/compile-go-template.ts';
export { fromJson, integer, textList, textMap } from './go/from-json.ts';
export { LimitError, TemplateError } from './template-error.ts';
export type { FunctionLibrary, GoTemplate, GoTemplateOptions } from './go-template/compile-go-template.ts';
export type { GoAny } from './go/value.ts';
