import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { exampleFiles } from './example-files.ts';
import { describeSystemError, StartError } from './start-error.ts';

const run = promisify(execFile);
const gitLimitMs = 30_000;

/** Makes a git repository with an example in a folder that is new or empty, and answers with its URL. Throws StartError. */
export async function createExampleRepository(folder: string, environment: NodeJS.ProcessEnv): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length > 0) throw new StartError(`${folder} is not empty: name another folder`);
    for (const [path, text] of Object.entries(exampleFiles)) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    // Nobody has to have told git who they are for an example.
    const person = { name: 'Example', email: 'example@example.com' };
    const env = {
      PATH: environment['PATH'],
      HOME: environment['HOME'],
      GIT_AUTHOR_NAME: person.name,
      GIT_AUTHOR_EMAIL: person.email,
      GIT_COMMITTER_NAME: person.name,
      GIT_COMMITTER_EMAIL: person.email,
    };
    const git = (...args: readonly string[]) => run('git', args, { cwd: folder, env, timeout: gitLimitMs });
    await git('init', '--quiet', '--initial-branch=main');
    await git('config', 'user.name', person.name);
    await git('config', 'user.email', person.email);
    await git('add', '--all');
    await git('commit', '--quiet', '--no-gpg-sign', '--message', 'Open the shop');
    return pathToFileURL(folder).href;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot make the example in ${folder}: ${describeSystemError(error)}`);
  }
}
