/** Ends us with the npm that started us. */

const LOOK_MS = 500;

/**
 * npm runs scripts and commands through a shell. A signal to npm ends npm and the shell, but a shell passes nothing on, and
 * a server would go on for ever with nobody knowing. So we look whether our parent is still the same, and if it is
 * gone take that for the signal we did not get.
 */
export function followNpm() {
  if (!isStartedByNpm()) return;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  looking.unref();
}

/** On Windows a process keeps the id of a parent that is gone, so there is nothing to see. */
function isStartedByNpm() {
  const { npm_lifecycle_event: script, npm_command: command } = process.env;
  return process.platform !== 'win32' && (script !== undefined || command === 'exec');
}
