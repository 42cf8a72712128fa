/** `fairway export` and `fairway import`. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import {
  checkImport,
  exportHome,
  formatObject,
  importObjects,
  installDefinitions,
  parseObjects,
  type ImportResult,
} from '../settings/index.ts';
import { openCommandHome } from './open-command-home.ts';
import type { OpenHomeOptions } from './open-home.ts';
import { describeSystemError, StartError, toStartError } from './start-error.ts';

/** Far more than an installation of thousands of applications. */
const inputBytesMax = 256 << 20;

export interface ExportCommand extends OpenHomeOptions {
  readonly secrets: boolean;
  readonly write: (text: string) => Promise<void>;
  readonly warn: (message: string) => void;
}

/** Writes the home as YAML. Throws StartError when that cannot be. */
export async function runExport(command: ExportCommand): Promise<void> {
  const { secrets, write, warn } = command;
  const { applicationNamespaces, applicationsetNamespaces } = command.options;
  const home = await openCommandHome(command);
  const { api, namespace } = home;
  try {
    for await (const object of exportHome({ api, namespace, secrets, applicationNamespaces, applicationsetNamespaces, warn })) {
      await write(formatObject(object));
    }
  } catch (error) {
    throw toStartError(error, `cannot export the namespace ${namespace}`);
  } finally {
    await home.close();
  }
}

export interface ImportCommand extends OpenHomeOptions {
  /** `-` for the standard input. */
  readonly file: string;
  readonly input: Readable;
  readonly dryRun: boolean;
  readonly report: (result: ImportResult) => void;
}

/** Applies YAML to the home, which is made where there is none. Returns whether all went well. Throws StartError when it cannot begin. */
export async function runImport(command: ImportCommand): Promise<boolean> {
  const { file, input, dryRun, report, log } = command;
  const text = await readInput(file, input);
  try {
    const objects = parseObjects(text);
    checkImport(objects);
    const home = await openCommandHome({ ...command, canMake: !dryRun });
    try {
      if (home.kind === 'cluster' && !dryRun) await installDefinitions({ api: home.api, log });
      return await importObjects(objects, { api: home.api, namespace: home.namespace, dryRun, report });
    } finally {
      await home.close();
    }
  } catch (error) {
    throw toStartError(error, `cannot import ${file === '-' ? 'the standard input' : file}`);
  }
}

async function readInput(file: string, input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of file === '-' ? input : createReadStream(file)) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > inputBytesMax) throw new Error(`it is larger than ${inputBytesMax >> 20} MiB`);
    }
  } catch (error) {
    throw new StartError(`cannot read ${file === '-' ? 'the standard input' : file}: ${describeSystemError(error)}`);
  }
  return Buffer.concat(chunks).toString('utf8');
}
