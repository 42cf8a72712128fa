import { createHash } from 'node:crypto';
import { ApiError, Code, trimEndOf } from '../../base/index.ts';
import { withoutCredentials } from '../repositories/without-credentials.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { TreeEntry, TreeListing } from '../trees/tree-listing.ts';
import type { Trees } from '../trees/trees.ts';
import { GitError } from './git.ts';
import type { Git } from './git.ts';
import { isSameServer } from './git-url.ts';
import type { MirroredCommit, Mirrors } from './mirrors.ts';

export interface SubmoduleOptions {
  readonly git: Git;
  readonly mirrors: Mirrors;
  readonly trees: Trees;
  /** What is configured for a URL. */
  readonly accessTo: (url: string) => RepositoryAccess;
  /** Whether the project may use what is configured for a URL. */
  readonly isPermitted: (url: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

const DEPTH_MAX = 5;
const SUBMODULES_MAX = 50;

/**
 * What a commit holds, with its submodules in their places. Git's own command is not used: it takes names, URLs and settings from the
 * repository, which went wrong often. Only the path and the URL are read, and each repository is fetched like any other.
 */
export async function listWithSubmodules(
  options: SubmoduleOptions,
  access: RepositoryAccess,
  commit: MirroredCommit,
  depth = 0,
): Promise<TreeListing> {
  const listing = await options.trees.list(commit, options.signal);
  const links = submodulesOf(listing);
  if (links.length === 0) return listing;
  if (depth >= DEPTH_MAX || links.length > SUBMODULES_MAX)
    throw new ApiError(Code.Unknown, `the repository has more than ${SUBMODULES_MAX} submodules, or more than ${DEPTH_MAX} levels of them`);
  const urls = await readUrls(options.git, commit, listing);
  const found = new Map<string, TreeListing>();
  for (const [path, { id }] of links) {
    const written = urls.get(path);
    // Without a URL it is an empty folder to git as well; whoever needs what should be there is told.
    if (written === undefined) continue;
    const own = findAccess(options, access, resolveUrl(access.url, written));
    const inner = await options.mirrors.ensureCommit(own, id, options.signal);
    found.set(path, await listWithSubmodules(options, own, inner, depth + 1));
  }
  // A link that led nowhere may go through those of a submodule now.
  return options.trees.keepWithin(combine(listing, found));
}

/**
 * What is configured for a submodule counts, where the project permits its URL: otherwise whoever writes to a repository could have any
 * other read with its credentials. Everything else on the very server of the repository that names it is reached as that repository is,
 * whatever the project permits: with credentials for a whole server, projects that name only the repositories of their applications have
 * their submodules. Another server never learns these credentials.
 */
function findAccess({ git, accessTo, isPermitted }: SubmoduleOptions, parent: RepositoryAccess, url: string): RepositoryAccess {
  const configured = accessTo(url);
  const isConfigured = /[^/]/.test(configured.owner);
  if (isConfigured && isPermitted(url)) return configured;
  if (isSameServer(git.parseUrl(parent.url), git.parseUrl(url))) return { ...parent, url };
  return isConfigured ? { ...withoutCredentials(configured), owner: '' } : configured;
}

const known = new WeakMap<TreeListing['entries'], readonly [string, TreeEntry][]>();

/** A revision is asked for by each of its applications, and few have any. */
function submodulesOf({ entries }: TreeListing): readonly [string, TreeEntry][] {
  let found = known.get(entries);
  if (found === undefined) {
    found = [...entries].filter(([, entry]) => entry.kind === 'submodule');
    known.set(entries, found);
  }
  return found;
}

/** The URLs of submodules by path. */
async function readUrls(git: Git, { repository, tree }: MirroredCommit, { entries }: TreeListing): Promise<Map<string, string>> {
  const file = entries.get('.gitmodules');
  if (file?.kind !== 'file') return new Map();
  const args = ['config', `--blob=${tree}:.gitmodules`, '--no-includes', '--null', '--list'];
  const output = await git.local({ args, repository }).catch((error: unknown) => {
    if (!(error instanceof GitError) || !/bad config .* in blob /.test(error.stderr)) throw error;
    throw new ApiError(Code.Unknown, 'the file .gitmodules of the repository cannot be read');
  });
  const modules = new Map<string, { path?: string; url?: string }>();
  for (const record of output.toString('utf8').split('\0')) {
    const [, name = '', field = '', value = ''] = /^submodule\.(.*)\.(path|url)\n([^]*)$/.exec(record) ?? [];
    if (field !== '') modules.set(name, { ...modules.get(name), [field]: value });
  }
  const urls = new Map<string, string>();
  for (const { path, url } of modules.values()) if (path !== undefined && url !== undefined) urls.set(path, url);
  return urls;
}

/** `../lib.git` is beside the repository that names it. */
export function resolveUrl(parent: string, url: string): string {
  if (!/^\.\.?\//.test(url)) return url;
  const scp = /^((?:[^@/]+@)?[^:/]+:)(?!\/\/)(.*)$/.exec(parent);
  const [head = '', path = ''] = scp === null ? (/^([a-z]+:\/\/[^/]*)(.*)$/i.exec(parent)?.slice(1) ?? []) : scp.slice(1);
  const steps = trimEndOf(path, '/').split('/');
  for (const step of url.split('/')) {
    if (step === '..') {
      if (steps.length <= (scp === null ? 1 : 0)) throw new ApiError(Code.Unknown, 'the URL of a submodule leaves its server');
      steps.pop();
    } else if (step !== '.' && step !== '') steps.push(step);
  }
  return `${head}${steps.join('/')}`;
}

/** One listing of all; its name is made from theirs. */
function combine(outer: TreeListing, inner: ReadonlyMap<string, TreeListing>): TreeListing {
  const entries = new Map<string, TreeEntry>(outer.entries);
  const links = new Map(outer.links);
  const parts = [...outer.parts];
  let { fileCount, sizeBytes } = outer;
  const hash = createHash('sha256').update(outer.tree);
  for (const [path, listing] of inner) {
    entries.set(path, { kind: 'folder', id: listing.tree, sizeBytes: 0 });
    for (const [below, entry] of listing.entries) entries.set(`${path}/${below}`, entry);
    for (const [below, target] of listing.links) links.set(`${path}/${below}`, target);
    parts.push(...listing.parts.map((part) => ({ ...part, path: part.path === '' ? path : `${path}/${part.path}` })));
    fileCount += listing.fileCount;
    sizeBytes += listing.sizeBytes;
    hash.update(`\0${path}\0${listing.tree}`);
    // The folders above now hold something else than git's name for them says.
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const above = path.slice(0, at);
      const before = entries.get(above)?.id ?? '';
      entries.set(above, {
        kind: 'folder',
        id: createHash('sha256').update(`${before}\0${path}\0${listing.tree}`).digest('hex'),
        sizeBytes: 0,
      });
    }
  }
  return { tree: hash.digest('hex'), entries, links, parts, fileCount, sizeBytes };
}
