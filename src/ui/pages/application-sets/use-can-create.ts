import { useQuery } from '@tanstack/react-query';
import { api, askPermission, type Permission } from '../../api/index.ts';

/** A person with a role in more projects than this is asked about at the end, by the server. */
const ASKED_MAX = 50;

/** Whether there is a project in which the person may create sets: most may not everywhere. */
export function useCanCreate(): Permission {
  const { data, error } = useQuery({
    queryKey: ['application-sets', 'can-create'],
    queryFn: async ({ signal }): Promise<Permission> => {
      const everywhere = await askPermission('applicationsets', 'create', '*/*', signal);
      if (everywhere.allowed) return everywhere;
      const { items } = await api.ProjectService.List({}, { signal, fields: 'items.metadata.name' });
      const names = (items ?? []).flatMap(({ metadata }) => metadata?.name ?? []);
      const answers = await Promise.all(
        names.slice(0, ASKED_MAX).map((name) => askPermission('applicationsets', 'create', `${name}/*`, signal)),
      );
      if (answers.some(({ allowed }) => allowed) || names.length > ASKED_MAX) return { allowed: true, reason: undefined };
      return { allowed: false, reason: 'You may not create ApplicationSets in any project that you can see' };
    },
    staleTime: 60_000,
  });
  if (data !== undefined) return data;
  return { allowed: false, reason: error === null ? undefined : `Permissions could not be checked: ${error.message}` };
}
