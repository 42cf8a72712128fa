import { ApiError, Code, trimEndOf } from '../../base/index.ts';
import type { RepositoryAccess } from '../repository-access.ts';

/** A repository of a registry, as the registry itself names it. */
export interface RegistryPlace {
  /** With scheme, host and port. */
  readonly origin: string;
  /** Empty where only the registry is meant. */
  readonly repository: string;
}

const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const NAME = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*$/;
const NAME_LENGTH_MAX = 255;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const DIGEST = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;

/** Where `oci://host/name`, or `host/name` with a chart below it, is. Plain HTTP only where the repository says so. */
export function findRegistryPlace({ url, insecureOCIForceHttp }: RepositoryAccess, chart = ''): RegistryPlace {
  const rest = url.trim().replace(/^oci:\/\//i, '');
  const slash = rest.indexOf('/');
  const written = slash < 0 ? rest : rest.slice(0, slash);
  // A port that no URL can have is no host.
  if (!HOST.test(written) || !URL.canParse(`https://${written}`)) throw refuse('its host is not valid');
  const host = written.toLowerCase() === 'docker.io' ? 'registry-1.docker.io' : written.toLowerCase();
  const name = [slash < 0 ? '' : trimEndOf(rest.slice(slash + 1), '/'), chart].filter((part) => part !== '').join('/');
  if (name !== '' && (!NAME.test(name) || name.length > NAME_LENGTH_MAX)) throw refuse('the name of the repository is not valid');
  return { origin: `${insecureOCIForceHttp === true ? 'http' : 'https'}://${host}`, repository: name };
}

/** Whether charts of a repository come from a registry and not from an index. */
export function isRegistry({ url, type, enableOCI }: Pick<RepositoryAccess, 'url' | 'type' | 'enableOCI'>): boolean {
  return type === 'oci' || enableOCI === true || url.startsWith('oci://') || !/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(url);
}

export function isTag(text: string): boolean {
  return TAG.test(text);
}

export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}

/** Versions may have a plus, which tags cannot have. */
export function tagOfVersion(version: string): string {
  return version.replaceAll('+', '_');
}

export function versionOfTag(tag: string): string {
  return tag.replaceAll('_', '+');
}

function refuse(reason: string): ApiError {
  return new ApiError(Code.InvalidArgument, `the address of the registry is refused: ${reason}`);
}
