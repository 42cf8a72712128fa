import type { Policy } from '../../../access/index.ts';
import { ApiError, Code } from '../../../base/index.ts';
import type { CertificateService, RepositoryCertificate, RepositoryCertificateQuery } from '../../../contract/index.ts';
import type { KubeApi } from '../../../kube/index.ts';
import { compileGlob } from '../../../model/index.ts';
import type { Settings } from '../../../settings/index.ts';
import type { Call } from '../../call.ts';
import { requireAllowed } from '../authorise.ts';
import { changeConfigMap } from './change-config-map.ts';
import { addKnownHost, addTlsCertificate, isHostName } from './add-certificate.ts';
import { fingerprintOf, formatKnownHosts, parseKnownHosts, type KnownHost, type KnownHostLine } from './known-hosts.ts';
import { summarizeCertificates } from './pem-certificates.ts';

const SSH_CONFIG_MAP = 'argocd-ssh-known-hosts-cm';
const SSH_KEY = 'ssh_known_hosts';
const TLS_CONFIG_MAP = 'argocd-tls-certs-cm';

const EMPTY_CERTIFICATE: RepositoryCertificate = { serverName: '', certType: '', certSubType: '', certData: '', certInfo: '' };

export interface CertificateServiceOptions {
  readonly home: KubeApi;
  readonly namespace: string;
  readonly settings: Settings;
  readonly policy: Policy;
}

/** What repositories are trusted by: certificates of their servers, and keys of their hosts. */
export function createCertificateService(context: CertificateServiceOptions): CertificateService<Call> {
  const { policy, settings } = context;
  const allow = (call: Call, action: string): void => requireAllowed(policy, call, { resource: 'certificates', action, object: '' });
  const change = <Result>(name: string, call: Call, edit: (data: Map<string, string>) => Result): Promise<Result> =>
    changeConfigMap({ ...context, name, signal: call.signal }, edit);

  return {
    ListCertificates(query, call) {
      allow(call, 'get');
      const { wantsSsh, wantsTls, isHost } = readQuery(query);
      const { sshKnownHosts, tlsCertificates } = settings.current;
      const keys = wantsSsh
        ? parseKnownHosts(sshKnownHosts).flatMap(({ known }) => (known && wantsSsh(known) ? [describeKey(known)] : []))
        : [];
      const hosts = wantsTls ? [...tlsCertificates].filter(([host]) => isHost(host)) : [];
      return { items: [...keys, ...hosts.toSorted(([left], [right]) => (left < right ? -1 : 1)).flatMap(describeHost)] };
    },
    async CreateCertificate({ certificates, upsert = false }, call) {
      allow(call, 'create');
      // What a message leaves out is not there, whatever its type says.
      const items = (certificates?.items ?? []).map((item) => ({ ...EMPTY_CERTIFICATE, ...item }));
      for (const { serverName, certType } of items) {
        if (!isHostName(serverName)) throw new ApiError(Code.InvalidArgument, `invalid hostname in request: ${serverName}`);
        if (certType !== 'ssh' && certType !== 'https') throw new ApiError(Code.InvalidArgument, `unknown certificate type: ${certType}`);
      }
      const ofType = (type: string): RepositoryCertificate[] => items.filter(({ certType }) => certType === type);
      const created: RepositoryCertificate[] = [];
      if (ofType('ssh').length > 0) {
        const add = (data: Map<string, string>): RepositoryCertificate[] => {
          const lines = parseKnownHosts(data.get(SSH_KEY) ?? '');
          const added = ofType('ssh').flatMap((certificate) => addKnownHost(lines, certificate, upsert) ?? []);
          if (added.length > 0) data.set(SSH_KEY, formatKnownHosts(lines));
          return added;
        };
        created.push(...(await change(SSH_CONFIG_MAP, call, add)));
      }
      if (ofType('https').length > 0) {
        const add = (data: Map<string, string>): RepositoryCertificate[] =>
          ofType('https').flatMap((certificate) => addTlsCertificate(data, certificate, upsert) ?? []);
        created.push(...(await change(TLS_CONFIG_MAP, call, add)));
      }
      return { items: created };
    },
    async DeleteCertificate(query, call) {
      allow(call, 'delete');
      const { wantsSsh, wantsTls, isHost } = readQuery(query);
      const removed: RepositoryCertificate[] = [];
      if (wantsSsh !== undefined) removed.push(...(await change(SSH_CONFIG_MAP, call, (data) => removeKnownHosts(data, wantsSsh))));
      if (wantsTls) removed.push(...(await change(TLS_CONFIG_MAP, call, (data) => removeHosts(data, isHost))));
      return { items: removed };
    },
  };
}

/** What a selector means. Brackets are part of names here, not of patterns. */
function readQuery({ hostNamePattern = '', certType = '', certSubType = '' }: RepositoryCertificateQuery) {
  const escaped = hostNamePattern.replaceAll(/[[\]{}\\]/g, String.raw`\$&`);
  const isHost = hostNamePattern === '' ? (): boolean => true : (compileGlob(escaped) ?? ((): boolean => false));
  const wants = (...names: string[]): boolean => ['', '*', ...names].includes(certType);
  const isKeyType = (keyType: string): boolean => ['', '*', keyType].includes(certSubType);
  return {
    isHost,
    wantsTls: wants('https', 'tls'),
    wantsSsh: wants('ssh') ? ({ host, keyType }: KnownHost): boolean => isHost(host) && isKeyType(keyType) : undefined,
  };
}

function removeKnownHosts(data: Map<string, string>, isWanted: (known: KnownHost) => boolean): RepositoryCertificate[] {
  const lines = parseKnownHosts(data.get(SSH_KEY) ?? '');
  const goes = ({ known }: KnownHostLine): boolean => known !== undefined && isWanted(known);
  const gone = lines.flatMap((line) => (line.known !== undefined && goes(line) ? [line.known] : []));
  if (gone.length > 0) data.set(SSH_KEY, formatKnownHosts(lines.filter((line) => !goes(line))));
  return gone.map((known) => ({ ...describeKey(known), certData: Buffer.from(known.key).toString('base64') }));
}

function removeHosts(data: Map<string, string>, isHost: (host: string) => boolean): RepositoryCertificate[] {
  const gone = [...data].filter(([host]) => isHost(host));
  for (const [host] of gone) data.delete(host);
  return gone.map(([serverName, text]) => {
    const [first] = summarizeCertificates(text);
    const certData = Buffer.from(text).toString('base64');
    return { serverName, certType: 'https', certSubType: first?.subType ?? '', certInfo: first?.info ?? '', certData };
  });
}

function describeKey(known: KnownHost): RepositoryCertificate {
  const fingerprint = fingerprintOf(known);
  const certInfo = fingerprint === undefined ? '' : `SHA256:${fingerprint}`;
  return { serverName: known.host, certType: 'ssh', certSubType: known.keyType, certData: '', certInfo };
}

function describeHost([serverName, text]: [string, string]): RepositoryCertificate[] {
  return summarizeCertificates(text).map(({ subType, info }) => ({
    serverName,
    certType: 'https',
    certSubType: subType,
    certData: '',
    certInfo: info,
  }));
}
