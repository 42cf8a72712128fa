/** Versions and ranges of versions as Helm and its kin read them. */
export { isConstraint, pickVersion } from './constraint.ts';
export { isVersion } from './version.ts';
