/** The things that requests are about: all there, or none of them. */

/** Of the application that runs: group, kind and name. */
export const DEPLOYMENT = ['apps', 'Deployment', 'web'] as const;
export const CONFIG_MAP = ['', 'ConfigMap', 'settings'] as const;

export interface Things {
  /** An application that runs. */
  readonly app: string;
  /** One of which nothing is deployed, to be changed and deleted. */
  readonly spare: string;
  /** Where applications go. */
  readonly namespace: string;
  /** What all the others are in; it is always there. */
  readonly project: string;
  /** The project that is asked about. */
  readonly askedProject: string;
  /** One that nothing is in, to be changed and deleted. */
  readonly spareProject: string;
  readonly set: string;
  /** One to be changed and deleted. */
  readonly spareSet: string;
  readonly cluster: { readonly server: string; readonly name: string; readonly token: string };
  /** What the application is deployed from, and the commit. */
  readonly repository: string;
  readonly revision: string;
  /** A repository that nothing is deployed from. */
  readonly spareRepository: string;
  /** An application of a chart and an image. */
  readonly packaged: string;
  readonly charts: string;
  readonly oci: string;
  /** Of its image. */
  readonly digest: string;
  /** The URL of a credential template. */
  readonly credentials: string;
  readonly host: string;
  readonly hostKey: string;
  readonly key: { readonly id: string; readonly data: string };
  readonly account: string;
  readonly password: string;
  /** The id of one of its tokens. */
  readonly accountToken: string;
  readonly adminPassword: string;
}

/** What makes things that are not there different from those that are: the rest is needed to ask at all. */
export type Absent = Omit<Things, 'namespace' | 'project' | 'revision' | 'digest' | 'hostKey' | 'password' | 'adminPassword'>;
