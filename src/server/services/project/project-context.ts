import type { Policy, Sessions } from '../../../access/index.ts';
import type { Clock, Timers } from '../../../base/index.ts';
import type { Clusters } from '../../../clusters/index.ts';
import type { EventRecorder, KubeApi, ObjectStore } from '../../../kube/index.ts';
import { findGlobalProjects, readProject, withGlobalProjects, type AppProject, type ProjectSurroundings } from '../../../model/index.ts';
import type { Settings } from '../../../settings/index.ts';

export interface ProjectServiceOptions {
  readonly home: KubeApi;
  /** The namespace of the control plane: projects live there only. */
  readonly namespace: string;
  readonly applications: ObjectStore;
  readonly projects: ObjectStore;
  readonly policy: Policy;
  readonly settings: Settings;
  readonly clusters: Clusters;
  /** What belongs to a project without its saying so. */
  readonly surroundingsOf: (project: string) => ProjectSurroundings;
  /** Signs the tokens of roles. */
  readonly sessions: Pick<Sessions, 'signForProject'>;
  /** For what people do to projects. */
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly timers: Timers;
}

type Known = Pick<ProjectServiceOptions, 'namespace' | 'projects' | 'settings'>;

export function knownProject({ projects, namespace }: Known, name: string): AppProject | undefined {
  const object = projects.get({ namespace, name });
  return object && readProject(object);
}

export function globalProjectsOf(known: Known, project: AppProject): readonly AppProject[] {
  return findGlobalProjects(project, known.settings.current.general.globalProjects, (name) => knownProject(known, name));
}

/** A project with all the rules that hold for its applications: its own, and those that it inherits. */
export function effectiveProject(known: Known, project: AppProject): AppProject {
  return withGlobalProjects(project, globalProjectsOf(known, project));
}
