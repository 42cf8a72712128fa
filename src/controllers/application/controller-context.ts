import type { Clock, Logger, Timers } from '../../base/index.ts';
import type { Clusters } from '../../clusters/index.ts';
import type { EventRecorder, KubeApi, ObjectStore } from '../../kube/index.ts';
import type { ProjectSurroundings } from '../../model/index.ts';
import type { Settings } from '../../settings/index.ts';
import type { Sources } from '../../sources/index.ts';
import type { ApplicationMeter } from './application-meter.ts';

/** What the work on applications needs. */
export interface ControllerContext {
  readonly home: KubeApi;
  /** The namespace of the control plane. */
  readonly namespace: string;
  /** Whether applications of a namespace are looked after. */
  readonly isNamespaceEnabled: (namespace: string) => boolean;
  readonly applications: ObjectStore;
  readonly projects: ObjectStore;
  readonly settings: Settings;
  readonly clusters: Clusters;
  readonly sources: Sources;
  /** What belongs to a project without its saying so. */
  readonly surroundingsOf: (project: string) => ProjectSurroundings;
  readonly events: EventRecorder;
  readonly meter: ApplicationMeter;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  /** From 0 up to, and without, 1. */
  readonly random: () => number;
  /** How long what was done to an application may stay unwritten, so that it can be written with what comes after it. */
  readonly unwrittenMaxMs?: number;
}

/** The name under which fields of objects are ours. */
export const FIELD_MANAGER = 'argocd-controller';
