/** Versions and ranges of versions as Helm and its kin read them. */
export { isConstraint, isVersion, pickVersion } from '../../template/index.ts';
