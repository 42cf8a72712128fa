import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isAlive } from './run-folder.ts';
import { waitUntil } from './wait-until.ts';

/** Starts something, says which process that is, and ends when there is nothing more to read. */
const STARTER = `
import { spawn } from 'node:child_process';
import { endWithUs } from '${new URL('end-with-us.ts', import.meta.url).href}';
const child = spawn('sleep', ['60']);
endWithUs(child);
process.stdin.on('end', () => process.exit(0)).resume();
process.stdout.write(String(child.pid));
`;

it.each<[string, (starter: ChildProcess) => void]>([
  ['is told to', (starter) => starter.kill('SIGTERM')],
  ['is interrupted', (starter) => starter.kill('SIGINT')],
  ['is done', (starter) => starter.stdin?.end()],
])('a process that was started ends with the one that started it, when that %s', async (_name, end) => {
  const starter = spawn(process.execPath, ['--input-type=module', '--eval', STARTER], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [said] = (await once(starter.stdout, 'data')) as [Buffer];
  const pid = Number(said.toString());
  expect(isAlive(pid)).toBe(true);
  end(starter);
  await once(starter, 'exit');
  await waitUntil(() => !isAlive(pid));
});
