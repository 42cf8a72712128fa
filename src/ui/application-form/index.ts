/** What an application is told to do, as forms: used to create one and to change one. */
export { DestinationFields, ProjectField } from './destination-fields.tsx';
export { ParameterFields } from './parameter-fields.tsx';
export { PolicyFields } from './policy-fields.tsx';
export { renderApplication } from './render-application.ts';
export { manifestsText, RenderedManifests } from './rendered-manifests.tsx';
export { setPart } from './set-field.ts';
export { SourceFields } from './source-fields.tsx';
export { useSettled, useSourceDetails } from './use-repository.ts';
