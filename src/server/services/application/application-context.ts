import type { Policy } from '../../../access/index.ts';
import type { Clock, Logger, Timers } from '../../../base/index.ts';
import type { Clusters } from '../../../clusters/index.ts';
import type { Application, ApplicationTree, ManifestResponse, ResourceDiff } from '../../../contract/index.ts';
import type { EventRecorder, KubeApi, ObjectStore } from '../../../kube/index.ts';
import type { ProjectSurroundings } from '../../../model/index.ts';
import type { KubeObject } from '../../../objects/index.ts';
import type { Settings } from '../../../settings/index.ts';
import type { Sources } from '../../../sources/index.ts';

export interface InspectOptions {
  readonly signal: AbortSignal;
}

export interface RenderOptions extends InspectOptions {
  /** Instead of the target revision; one for each source. */
  readonly revisions?: readonly string[];
  /** Asks the repository even if it was asked a moment ago. */
  readonly fresh?: boolean;
  /** Packed files to render instead of what the first source holds. */
  readonly upload?: Buffer;
}

/** What somebody would apply to one resource, and the text of the key of the live one; what is undefined is not there. */
export interface DiffQuestion {
  readonly live: string | undefined;
  readonly target: KubeObject | undefined;
}

/** Looks at applications as they are right now. Failures are ApiErrors. */
export interface ApplicationInspector {
  /** What is declared beside what there is, with the values of Secrets masked. */
  managedResources(application: Application, options: InspectOptions): Promise<ResourceDiff[]>;
  /** What applying objects that somebody brings would change, as the cluster says; only of what the application manages. */
  diffOnServer(
    application: Application,
    options: InspectOptions & { readonly questions: readonly DiffQuestion[] },
  ): Promise<ResourceDiff[]>;
  tree(application: Application, options: InspectOptions): Promise<ApplicationTree>;
  /** Resolves when the tree may have changed since the last call, or the signal is aborted. */
  onTreeChange(application: Application, listener: () => void): () => void;
  manifests(application: Application, options: RenderOptions): Promise<ManifestResponse>;
}

export interface ApplicationServiceOptions {
  readonly home: KubeApi;
  /** The namespace of the control plane. */
  readonly namespace: string;
  /** Whether applications may live in a namespace; that of the control plane always may. */
  readonly isNamespaceEnabled: (namespace: string) => boolean;
  readonly applications: ObjectStore;
  readonly projects: ObjectStore;
  readonly policy: Policy;
  readonly settings: Settings;
  readonly clusters: Clusters;
  readonly sources: Sources;
  /** What belongs to a project without its saying so. */
  readonly surroundingsOf: (project: string) => ProjectSurroundings;
  readonly inspector: ApplicationInspector;
  /** For what users did. */
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
}
