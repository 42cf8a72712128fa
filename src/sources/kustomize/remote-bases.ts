import { ApiError, Code } from '../../base/index.ts';
import type { RemoteFile, RemoteValues } from '../helm/remote-values.ts';
import type { DependencySettings, RenderRequest } from '../sources.ts';
import type { TreeListing } from '../trees/tree-listing.ts';
import type { Trees } from '../trees/trees.ts';
import { parseRemoteBase } from './parse-remote-base.ts';

/** A revision that a kustomization takes folders from: its own, or that of another repository. */
export interface Mount {
  /** Names the revision among those of one render; empty for its own. */
  readonly key: string;
  readonly listing: TreeListing;
  /** Where it is checked out. */
  readonly root: string;
}

/** What a kustomization takes in from elsewhere, while it is rendered. */
export interface RemoteBases {
  /** The revision that an entry names, and the path in it. */
  open(entry: string): Promise<{ readonly mount: Mount; readonly path: string }>;
  read(entry: string): Promise<RemoteFile>;
  /** Gives back what is held. */
  release(): void;
}

export interface RemoteBasesOptions {
  readonly trees: Trees;
  readonly remoteValues: RemoteValues;
  readonly dependencies: DependencySettings;
  /** What a repository holds at a revision, with credentials that are configured for it. */
  readonly openRepository: (request: RenderRequest, url: string, ref: string) => Promise<TreeListing>;
}

const REMOTES_MAX = 50;

export function createRemoteBases(options: RemoteBasesOptions, request: RenderRequest): RemoteBases {
  const mounts = new Map<string, Promise<Mount>>();
  const leases: { release(): void }[] = [];
  const { project } = request.application;

  function checkPermitted(url: string): void {
    // Whoever may change what is elsewhere could otherwise change what only some may sign.
    if (request.integrity !== undefined)
      throw new ApiError(
        Code.FailedPrecondition,
        `the project demands signatures, which what a kustomization takes from elsewhere has not: ${withoutUser(url)}`,
      );
    if (!options.dependencies.isPermitted(url, project))
      throw new ApiError(Code.PermissionDenied, `the remote base ${withoutUser(url)} is not permitted in project '${project}'`);
  }

  async function mount(key: string, url: string, ref: string): Promise<Mount> {
    const listing = await options.openRepository(request, url, ref);
    const lease = await options.trees.acquire(listing, request.signal);
    leases.push(lease);
    return { key: `${key}@${listing.tree}`, listing, root: lease.folder };
  }

  return {
    async open(entry) {
      const base = parseRemoteBase(entry);
      if (base === undefined)
        throw new ApiError(Code.Unknown, `${JSON.stringify(withoutUser(entry))} of the kustomization is no address of a repository`);
      checkPermitted(base.url);
      const key = JSON.stringify([base.url, base.ref]);
      let opening = mounts.get(key);
      if (opening === undefined) {
        if (mounts.size >= REMOTES_MAX)
          throw new ApiError(Code.Unknown, `the kustomization takes in more than ${REMOTES_MAX} repositories`);
        opening = mount(key, base.url, base.ref);
        mounts.set(key, opening);
      }
      return { mount: await opening, path: base.path };
    },
    async read(entry) {
      checkPermitted(entry);
      return await options.remoteValues.read(entry, request);
    },
    release() {
      for (const lease of leases.splice(0)) lease.release();
    },
  };
}

/** A URL may hold a password. */
export function withoutUser(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//').slice(0, 200);
}
