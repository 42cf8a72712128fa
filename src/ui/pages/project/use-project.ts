import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { AppProject, DetailedProjectsResponse } from '../../../contract/gen/types.ts';
import { api, queryClient, useCan, type Permission } from '../../api/index.ts';

/** Projects have no watch; so often they are read again while somebody looks. */
const READ_MS = 15_000;

export function useProject(name: string): UseQueryResult<AppProject> {
  return useQuery({
    queryKey: ['project', name],
    queryFn: ({ signal }) => api.ProjectService.Get({ name }, { signal }),
    refetchInterval: READ_MS,
  });
}

/** With what it inherits and what belongs to it. */
export function useDetailedProject(name: string): UseQueryResult<DetailedProjectsResponse> {
  return useQuery({
    queryKey: ['project', name, 'detailed'],
    queryFn: ({ signal }) => api.ProjectService.GetDetailedProject({ name }, { signal }),
  });
}

/** How many applications are in a project, of those that the person may see. */
export function useApplicationCount(name: string): number | undefined {
  const { data } = useQuery({
    queryKey: ['project', name, 'applications'],
    queryFn: async ({ signal }) => {
      const { stats } = await api.ApplicationService.List({ projects: [name], limit: 1 }, { signal, fields: 'stats.total' });
      return stats?.total ?? 0;
    },
  });
  return data;
}

/** Reads everything about a project again, and the list of all. */
export async function readAgain(name: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['project', name] }),
    queryClient.invalidateQueries({ queryKey: ['projects'] }),
    // What somebody may do can depend on the roles of the project.
    queryClient.invalidateQueries({ queryKey: ['can-i'] }),
  ]);
}

/** What somebody has written and not saved yet, and what it was made from. */
export interface Draft {
  readonly base: AppProject;
  readonly draft: AppProject;
  /** The text, where it was written as text. */
  readonly text?: string;
}

/** Drafts outlive a look at another page, until they are saved or given up; not a reload. */
const drafts = new Map<string, Draft>();

export function keepDraft(name: string, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(name);
  else drafts.set(name, draft);
}

export function findDraft(name: string): Draft | undefined {
  return drafts.get(name);
}

const Shown = createContext<AppProject | undefined>(undefined);

/** Gives the project to everything on its page. */
export const ShowProject = Shown.Provider;

/** The project of the page. */
export function useShown(): AppProject {
  const project = useContext(Shown);
  if (project === undefined) throw new Error('there is no project around this component');
  return project;
}

export function useShownName(): string {
  return useShown().metadata.name ?? '';
}

/** Whether the person may change the project of the page. */
export function useCanUpdate(): Permission {
  return useCan('projects', 'update', useShownName());
}
