import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Names a process of this machine, and no other that is or ever was. On Linux the name also says which process it is, for
 * `hasProcessEnded`.
 */
export function createProcessIdentity(pid = process.pid): string {
  const words = [hostname(), randomUUID()];
  const place = readPlace();
  const started = place === undefined ? undefined : readProcess(pid)?.started;
  if (place !== undefined && started !== undefined) words.push(place, String(pid), started);
  return words.join('_');
}

/**
 * Whether the process with this identity has certainly ended. That can be known only where it ran: on this machine since it was booted
 * (the id of the boot), where process ids mean the same as here (the namespace of process ids: containers have their own). A namespace of
 * the same number that is not ours any more is gone with all that ran in it. Whatever is in doubt is `false`.
 */
export function hasProcessEnded(identity: string): boolean {
  const words = identity.split('_');
  if (words.length < 5) return false;
  const [place, pid, started] = [words.at(-3), Number(words.at(-2)), words.at(-1)];
  if (place === undefined || place !== readPlace() || words.slice(0, -4).join('_') !== hostname()) return false;
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  if (!isThere(pid)) return true;
  const found = readProcess(pid);
  // Its number may be that of another by now; and what has ended but was not asked for yet does nothing any more.
  return found !== undefined && (found.started !== started || found.hasEnded);
}

/** Where process ids mean what they mean here. Unknown where the system does not tell. */
function readPlace(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
    return boot === '' || namespace === undefined ? undefined : `${boot}.${namespace}`;
  } catch {
    // Another system than Linux.
    return undefined;
  }
}

/** Asked of the system itself: files below /proc may be hidden from other users. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function readProcess(pid: number): { readonly started: string; readonly hasEnded: boolean } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses, and may contain any character.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, started] = [fields[0], fields[19]];
    return started === undefined ? undefined : { started, hasEnded: state === 'Z' || state === 'X' };
  } catch {
    // It ended just now, or is hidden from us; the next look tells.
    return undefined;
  }
}
