import type { ApplicationSpec } from '../../../../contract/gen/types.ts';
import { api, queryClient } from '../../../api/index.ts';

interface ApplicationName {
  readonly name: string;
  readonly appNamespace: string;
  readonly project: string;
}

/** Saves a specification, unless somebody else saved another one since it was looked at. */
export async function saveSpec(name: ApplicationName, before: ApplicationSpec, spec: ApplicationSpec): Promise<void> {
  const current = await api.ApplicationService.Get({ name: name.name, appNamespace: name.appNamespace, projects: [name.project] });
  if (JSON.stringify(current.spec) !== JSON.stringify(before))
    throw new Error('Somebody else has changed the application meanwhile. Close this and open it again to see what it says now.');
  await api.ApplicationService.UpdateSpec({ ...name, spec, validate: true });
  await queryClient.invalidateQueries({ queryKey: ['application', name.appNamespace, name.name] });
}
