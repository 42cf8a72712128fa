import type { Application, ApplicationSource, ApplicationSpec } from '../../../contract/gen/types.ts';
import { createStore, isRecord, type Store } from '../../api/index.ts';
// Past the door, which brings the forms and with them a browser: this is tested without one.
import { hasPassword } from '../../application-form/has-password.ts';

/** What somebody has filled in so far. It outlives a reload of the page, in the same window, and is theirs alone. */
export interface Draft {
  readonly name: string;
  readonly spec: ApplicationSpec & { readonly source: ApplicationSource };
  /** Whether deleting the application deletes its resources. */
  readonly isFinalized: boolean;
  /** The documents of the other way to create applications. */
  readonly yaml: string;
}

export const RESOURCES_FINALIZER = 'resources-finalizer.argocd.argoproj.io';

export const emptyDraft: Draft = {
  name: '',
  spec: {
    project: 'default',
    source: { repoURL: '' },
    destination: { server: 'https://kubernetes.default.svc' },
    syncPolicy: { syncOptions: ['CreateNamespace=true'] },
  },
  isFinalized: false,
  yaml: '',
};

/** Texts beyond this are not kept: the storage of a browser is small. */
const KEPT_MAX = 500_000;

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The draft of one person. What cannot be kept is only forgotten at a reload. */
export function openDraft(storage: Kept, username: string): Store<Draft> & { readonly forget: () => void } {
  const key = `fairway.new-application.${username}`;
  const store = createStore(readDraft(storage.getItem(key)));
  const keep = (draft: Draft): void => {
    const text = JSON.stringify(withoutPassword(draft));
    try {
      if (text.length <= KEPT_MAX) storage.setItem(key, text);
    } catch {
      // The storage is full or switched off: the form works all the same.
    }
  };
  return {
    ...store,
    set(draft) {
      store.set(draft);
      keep(draft);
    },
    forget() {
      storage.removeItem(key);
      store.set(emptyDraft);
    },
  };
}

/** An address with a password is refused before anything is created; until then it is not written down either. */
function withoutPassword(draft: Draft): Draft {
  const { spec } = draft;
  if (!hasPassword(spec.source.repoURL)) return draft;
  return { ...draft, spec: { ...spec, source: { ...spec.source, repoURL: spec.source.repoURL.replace(/\/\/[^/@]*@/, '//') } } };
}

function readDraft(text: string | null): Draft {
  if (text === null) return emptyDraft;
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return emptyDraft;
    const { name, isFinalized, yaml } = value;
    return {
      ...mergeApplication(emptyDraft, { metadata: { name }, spec: value['spec'] }),
      isFinalized: isFinalized === true,
      yaml: typeof yaml === 'string' ? yaml : '',
    };
  } catch {
    return emptyDraft;
  }
}

/** The draft with what an application says, of which any part may be missing or something else than expected. */
export function mergeApplication(draft: Draft, application: unknown): Draft {
  const { metadata, spec } = isRecord(application) ? application : {};
  const own = isRecord(spec) ? spec : {};
  const name = isRecord(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : draft.name;
  const source = isRecord(own['source']) ? own['source'] : {};
  return {
    ...draft,
    name,
    spec: {
      ...draft.spec,
      ...own,
      project: typeof own['project'] === 'string' && own['project'] !== '' ? own['project'] : draft.spec.project,
      destination: isRecord(own['destination']) ? own['destination'] : draft.spec.destination,
      source: { ...(source as Partial<ApplicationSource>), repoURL: typeof source['repoURL'] === 'string' ? source['repoURL'] : '' },
    },
  };
}

/** The application that the draft is about. */
export function toApplication({ name, spec, isFinalized }: Draft): Pick<Application, 'metadata' | 'spec'> {
  return { metadata: { name, ...(isFinalized && { finalizers: [RESOURCES_FINALIZER] }) }, spec };
}

export const STEPS = [
  { id: 'source', title: 'Source' },
  { id: 'parameters', title: 'Parameters' },
  { id: 'destination', title: 'Destination and sync' },
  { id: 'review', title: 'Review and create' },
] as const;
export type StepId = (typeof STEPS)[number]['id'];

const NAME = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/** Why a name cannot be one; undefined where it can. */
export function findNameProblem(name: string): string | undefined {
  if (name === '') return 'Give it a name';
  return NAME.test(name)
    ? undefined
    : 'Names are made of small letters, digits, hyphens and dots, and begin and end with a letter or digit';
}

/** What a step still lacks; undefined where one can go on. */
export function findStepProblem(step: StepId, { name, spec }: Draft): string | undefined {
  const { source, destination } = spec;
  if (step === 'source') {
    const problem = findNameProblem(name);
    if (problem !== undefined) return problem;
    if (source.repoURL === '') return 'Name a repository';
    if (hasPassword(source.repoURL)) return 'Take the password out of the address of the repository';
    if (source.chart === '') return 'Choose a chart';
    if (source.chart !== undefined && !source.targetRevision) return 'Choose a version of the chart';
    if (source.chart === undefined && !source.path) return 'Choose a path';
  }
  if (step === 'destination' && !destination.server && !destination.name) return 'Choose a cluster';
  return undefined;
}
