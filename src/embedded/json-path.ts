/** Reading and changing fields by path is the same for every room that handles objects. */
export { listAt, mapListAt, numberAt, objectAt, textAt, valueAt, withDefaults, withValueAt } from '../objects/index.ts';
