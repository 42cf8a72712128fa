/**
 * Completes a lock with the builds for other platforms.
 *
 * A package with native parts lists one optional package for each platform. npm leaves out of the lock those that the
 * registry at hand does not offer, and then `npm ci` refuses the lock as incomplete, on every platform. Their exact
 * versions are known, so we write them in; without an integrity, which only a registry that has them can tell.
 */

export interface LockedPackage {
  version?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export interface Lock {
  packages: Record<string, LockedPackage>;
}

interface Platform {
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const SYSTEMS: readonly string[] = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS: readonly string[] = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** The lock with an entry for every optional dependency; the same one when nothing was missing. */
export function completeLock(lock: Lock): Lock {
  const missing = findMissing(lock);
  if (missing.length === 0) return lock;
  const root = Object.entries(lock.packages).filter(([path]) => path === '');
  const others = [...Object.entries(lock.packages).filter(([path]) => path !== ''), ...missing];
  others.sort(([left], [right]) => left.localeCompare(right, 'en'));
  return { ...lock, packages: Object.fromEntries([...root, ...others]) };
}

/** The optional dependencies that no entry of the lock answers, as the entries they should have. */
export function findMissing(lock: Lock): [path: string, entry: LockedPackage][] {
  const missing = new Map<string, LockedPackage>();
  for (const [path, parent] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      if (isPresent(lock, path, name)) continue;
      const key = `node_modules/${name}`;
      if (!EXACT_VERSION.test(version)) throw new Error(`${name} ${version}: only an exact version can be written into the lock`);
      const known = missing.get(key);
      if (known && known.version !== version) throw new Error(`${name} is wanted as ${known.version} and as ${version}`);
      const dev = parent.dev === true && known?.dev !== false;
      missing.set(key, { version, ...readPlatform(name), ...(dev && { dev }), optional: true });
    }
  }
  return [...missing];
}

/** Whether a package finds its dependency the way Node does: in its own folder, then in each one above. */
function isPresent(lock: Lock, from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock.packages[path]) return true;
    if (folder === '') return false;
  }
}

/** The platform that a build is for, from its name: `@node-rs/bcrypt-linux-x64-musl`. */
function readPlatform(name: string): Platform {
  const words = name.split(/[-/]/);
  const os = words.find((word) => SYSTEMS.includes(word));
  const cpu = words.find((word) => PROCESSORS.includes(word));
  if (!cpu) throw new Error(`${name}: its name does not tell a platform`);
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : words.some((word) => word.startsWith('gnu')) ? 'glibc' : undefined;
  return { ...(os && { os: [os] }), cpu: [cpu], ...(libc && { libc: [libc] }) };
}
