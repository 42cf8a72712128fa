/** Preloaded into the program under test: collects garbage when told to, and tells how much is really in use. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => {
  // As the program itself does when it has nothing else to do: the room goes back to the system.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`memory in use: ${heapUsed + external}\n`);
});
