/** What somebody does to the cluster by hand, after Argo CD has deployed. */
export interface Drift {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** A merge patch; undefined deletes the object. */
  readonly patch?: object;
  /** Whose fields they then are. */
  readonly fieldManager?: string;
  /** Whether the object is made, as it is given here. */
  readonly isNew?: boolean;
}

/** One application of the corpus, and how Argo CD finds it in the end. */
export interface CorpusCase {
  readonly name: string;
  /** Of the folder of its name; more than one folder has a path with `../`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Added to its only source. */
  readonly source?: object;
  /** Instead of what its only source would be. */
  readonly whole?: object;
  /** Instead of it. */
  readonly sources?: (repositoryUrl: string) => readonly object[];
  /** Added to its spec. */
  readonly spec?: object;
  readonly metadata?: object;
  /** Where the application itself is. */
  readonly namespace?: string;
  /** Where its objects go; `work` unless told. */
  readonly target?: string;
  /** Not synced by itself. */
  readonly isManual?: boolean;
  readonly drift?: readonly Drift[];
  /** Sync and health; `Synced Healthy` unless told. */
  readonly expects?: string;
  /** Whether it is among the few of the short form. */
  readonly isSmall?: boolean;
}

/** A list of documents as one file. */
export function documents(...objects: readonly object[]): string {
  return objects.map((object) => JSON.stringify(object)).join('\n---\n');
}

export function configMap(name: string, data: Readonly<Record<string, string>> = { key: 'value' }, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

export function annotated(name: string, annotations: Readonly<Record<string, string>>): object {
  return configMap(name, { key: 'value' }, { annotations });
}

export function deployment(name: string, spec: object = {}, container: object = {}): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: podTemplate(name, container),
      ...spec,
    },
  };
}

export function podTemplate(name: string, container: object = {}, spec: object = {}): object {
  return {
    metadata: { labels: { app: name } },
    spec: { containers: [{ name: 'main', image: 'example.com/web:1', ...container }], ...spec },
  };
}

export function service(name: string, spec: object = {}): object {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { selector: { app: name }, ports: [{ port: 80 }], ...spec } };
}

export function job(name: string, command: readonly string[] = ['true'], metadata: object = {}): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, ...metadata },
    spec: {
      backoffLimit: 0,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/job:1', command }] } },
    },
  };
}

/** A kind of its own, for one application. */
export function definition(plural: string, kind: string, schema: object = {}): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.corpus.example.com` },
    spec: {
      group: 'corpus.example.com',
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...schema } },
        },
      ],
    },
  };
}

export function custom(kind: string, name: string, spec: object = {}): object {
  return { apiVersion: 'corpus.example.com/v1', kind, metadata: { name }, spec };
}
