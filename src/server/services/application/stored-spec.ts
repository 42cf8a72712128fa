import { normalizeSpec, type ApplicationSpec } from '../../../model/index.ts';
import { toStoredForm } from '../stored-form.ts';

/** A spec from a request as it is kept. A request may lack what every spec has. */
export function storedSpec(given: Partial<ApplicationSpec> | undefined): ApplicationSpec {
  const spec = { ...given, destination: given?.destination ?? {}, project: given?.project ?? '' };
  return normalizeSpec(toStoredForm('argoproj.v1alpha1.ApplicationSpec', spec));
}
