import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goEnvironment, toolFolder } from '../tools/go-toolchain.ts';

const MODULE = 'github.com/argoproj/argo-cd/v3';
const DOWNLOAD_LIMIT_MS = 300_000;

/** The definitions of its kinds, as its own release has them. */
export function readArgocdDefinitions(): readonly string[] {
  const folder = join(moduleFolder(), 'manifests', 'crds');
  const files = readdirSync(folder).filter((file) => file.endsWith('-crd.yaml'));
  return files.map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** What its image has beside the program: it asks them about the signature of every commit. */
export function copyArgocdScripts(folder: string): void {
  const source = moduleFolder();
  for (const name of ['git-verify-wrapper.sh', 'gpg-wrapper.sh']) {
    copyFileSync(join(source, 'hack', name), join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
}

/** Where the module lies, which is fetched first where nothing was built from it yet. */
function moduleFolder(): string {
  const options = { cwd: toolFolder('argocd-components'), env: goEnvironment(), encoding: 'utf8', timeout: DOWNLOAD_LIMIT_MS } as const;
  const { Dir } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', MODULE], options)) as { readonly Dir: string };
  return Dir;
}
