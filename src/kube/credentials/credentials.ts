/** PEM text at hand, or the file that holds it and may change. */
export type Pem = { readonly pem: string } | { readonly file: string };

/** How a client says who it is. A client certificate may come on top of any of these. */
export type Identity =
  | { readonly type: 'none' }
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | { readonly type: 'token'; readonly token: string }
  | { readonly type: 'token-file'; readonly file: string }
  | { readonly type: 'exec'; readonly plugin: ExecPlugin };

/** A program that prints a token or a client certificate, by the protocol `client.authentication.k8s.io`. */
export interface ExecPlugin {
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Shown where the program is missing. */
  readonly installHint?: string;
  readonly provideClusterInfo: boolean;
  /** Handed to the program with the cluster's address, where it asks for that. */
  readonly clusterConfig?: unknown;
}

export interface ClientCertificate {
  readonly certificate: Pem;
  readonly key: Pem;
}

/** How the server proves who it is. */
export interface ServerTrust {
  /** Believes any certificate. */
  readonly insecure: boolean;
  /** The name that the certificate must carry, where it is not the address's. */
  readonly serverName?: string;
  /** The only authority believed; the machine's own authorities where it is missing. */
  readonly authority?: Pem;
}

/** Acts as somebody else, which the API allows to few. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** All that is needed, beside an address, to talk to a cluster. A plain value: files are read and programs run only when it is used. */
export interface Credentials {
  readonly identity: Identity;
  readonly clientCertificate?: ClientCertificate;
  readonly trust: ServerTrust;
  readonly impersonation?: Impersonation;
  /** `http:`, `https:` or `socks5:`, with user and password where the proxy wants them. */
  readonly proxyUrl?: string;
  /** Asks the server not to compress its answers. */
  readonly disableCompression: boolean;
}

/** A cluster as a configuration names it. */
export interface ClusterAccess {
  readonly server: string;
  readonly credentials: Credentials;
  /** The namespace that the configuration prefers. */
  readonly namespace?: string;
}
