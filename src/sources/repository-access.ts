import type { Sealed } from '../settings/index.ts';

/** What a repository is. */
export type RepositoryType = 'git' | 'helm' | 'oci';

/**
 * How a repository is reached: what its Secret says, completed from credential templates, and what the installation trusts. Secrets are
 * sealed, so that neither a log nor JSON shows them.
 */
export interface RepositoryAccess {
  /** As the application or the Secret spells it. */
  readonly url: string;
  readonly type: RepositoryType;
  /**
   * Whose access this is: what was fetched with one access is never read with another. The Secret's name, or empty where nothing is
   * configured.
   */
  readonly owner: string;
  readonly username?: Sealed<string>;
  readonly password?: Sealed<string>;
  readonly bearerToken?: Sealed<string>;
  readonly sshPrivateKey?: Sealed<string>;
  /** PEM, both or neither. */
  readonly tlsClientCertData?: Sealed<string>;
  readonly tlsClientCertKey?: Sealed<string>;
  /** What is exchanged for a token at a provider before a repository of git is reached: an app of a hosting provider, … */
  readonly githubAppID?: Sealed<string>;
  readonly githubAppInstallationID?: Sealed<string>;
  readonly githubAppEnterpriseBaseUrl?: Sealed<string>;
  readonly githubAppPrivateKey?: Sealed<string>;
  /** … the key of a service account, as JSON, … */
  readonly gcpServiceAccountKey?: Sealed<string>;
  /** … a service principal, or the identity of this process. */
  readonly azureServicePrincipalClientId?: Sealed<string>;
  readonly azureServicePrincipalTenantId?: Sealed<string>;
  readonly azureServicePrincipalClientSecret?: Sealed<string>;
  readonly azureActiveDirectoryEndpoint?: Sealed<string>;
  readonly useAzureWorkloadIdentity?: boolean;
  /** Neither certificates nor host keys are checked. */
  readonly insecure?: boolean;
  /** The Authorization header goes with the first request, and git does not negotiate. */
  readonly forceHttpBasicAuth?: boolean;
  readonly enableLfs?: boolean;
  /** How many commits of history are fetched; 0 or unset is all. */
  readonly depth?: number;
  /** Replaces the proxy of the environment. */
  readonly proxy?: string;
  readonly noProxy?: string;
  /** PEM certificates that are trusted for this host instead of the system's. */
  readonly certificateAuthorities?: string;
  /** In the format of OpenSSH. */
  readonly sshKnownHosts?: string;
  /** The OCI form of a Helm repository. */
  readonly enableOCI?: boolean;
  readonly insecureOCIForceHttp?: boolean;
}
