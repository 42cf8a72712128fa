/** Application, AppProject and ApplicationSet as values: what their kinds are. */
export { customResourceDefinitions } from './custom-resource-definitions.ts';
