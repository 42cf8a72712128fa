import type { ClusterConfig } from '../../../contract/gen/types.ts';
import { encodeBytes } from '../../api/index.ts';

/** How to sign in to a cluster, without programs that would have to be installed beside the server. */
export type ConnectionWay = 'token' | 'certificate' | 'password' | 'aws';

export const connectionWays: readonly { readonly id: ConnectionWay; readonly title: string }[] = [
  { id: 'token', title: 'Bearer token of a service account' },
  { id: 'certificate', title: 'Client certificate' },
  { id: 'password', title: 'User name and password' },
  { id: 'aws', title: 'AWS' },
];

/** A connection that is being described: texts as they are typed. */
export interface Connection {
  readonly way: ConnectionWay;
  readonly bearerToken: string;
  readonly certificate: string;
  readonly key: string;
  readonly username: string;
  readonly password: string;
  readonly awsCluster: string;
  readonly awsRole: string;
  readonly awsProfile: string;
  readonly authorities: string;
  readonly isInsecure: boolean;
  readonly serverName: string;
  readonly proxyUrl: string;
  readonly disableCompression: boolean;
}

/** What is shown of a stored connection is where it begins; what is secret has to be given again. */
export function beginConnection(config?: ClusterConfig): Connection {
  return {
    way: config?.awsAuthConfig ? 'aws' : 'token',
    bearerToken: '',
    certificate: '',
    key: '',
    username: '',
    password: '',
    awsCluster: config?.awsAuthConfig?.clusterName ?? '',
    awsRole: config?.awsAuthConfig?.roleARN ?? '',
    awsProfile: config?.awsAuthConfig?.profile ?? '',
    authorities: '',
    isInsecure: config?.tlsClientConfig?.insecure === true,
    serverName: config?.tlsClientConfig?.serverName ?? '',
    proxyUrl: config?.proxyUrl ?? '',
    disableCompression: config?.disableCompression === true,
  };
}

/** Why it cannot be sent yet. */
export function findConnectionGap(connection: Connection): string | undefined {
  const { way, bearerToken, certificate, key, username, password, awsCluster, isInsecure, authorities } = connection;
  if (way === 'token' && bearerToken.trim() === '') return 'Paste the token';
  if (way === 'certificate' && (certificate.trim() === '' || key.trim() === '')) return 'Paste the client certificate and its key';
  if (way === 'password' && (username === '' || password === '')) return 'Write the user name and the password';
  if (way === 'aws' && awsCluster.trim() === '') return 'Write the name of the cluster at AWS';
  if (isInsecure && authorities.trim() !== '') return 'Either check the certificate of the cluster, or do not: not both';
  return undefined;
}

export function toConfig(connection: Connection): ClusterConfig {
  const { way, isInsecure, serverName, authorities, proxyUrl, disableCompression } = connection;
  const pem = (text: string): string => encodeBytes(`${text.trim()}\n`);
  return {
    ...(way === 'token' && { bearerToken: connection.bearerToken.trim() }),
    ...(way === 'password' && { username: connection.username, password: connection.password }),
    ...(way === 'aws' && {
      awsAuthConfig: {
        clusterName: connection.awsCluster.trim(),
        ...(connection.awsRole.trim() !== '' && { roleARN: connection.awsRole.trim() }),
        ...(connection.awsProfile.trim() !== '' && { profile: connection.awsProfile.trim() }),
      },
    }),
    tlsClientConfig: {
      insecure: isInsecure,
      ...(serverName.trim() !== '' && { serverName: serverName.trim() }),
      ...(authorities.trim() !== '' && { caData: pem(authorities) }),
      ...(way === 'certificate' && { certData: pem(connection.certificate), keyData: pem(connection.key) }),
    },
    ...(proxyUrl.trim() !== '' && { proxyUrl: proxyUrl.trim() }),
    ...(disableCompression && { disableCompression }),
  };
}
