import { readMatrix } from '../../../test/conformance/contract/read-matrix.ts';
import { writeAuthorisationPage } from './write-authorisation-page.ts';
import { writeConformancePage } from './write-conformance-page.ts';

/** The pages below `docs/` that are made from tables which tests hold, by name. */
export function makePages(): ReadonlyMap<string, string> {
  return new Map([
    ['authorisation.md', writeAuthorisationPage(readMatrix())],
    ['conformance.md', writeConformancePage()],
  ]);
}
