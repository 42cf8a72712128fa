/** What we render is what the tools themselves make of the same files, run by hand. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { directoryCases } from '../support/fidelity/directory-cases.ts';
import type { FidelityCase } from '../support/fidelity/fidelity-case.ts';
import { helmCases } from '../support/fidelity/helm-cases.ts';
import { kustomizeCases } from '../support/fidelity/kustomize-cases.ts';
import { createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { parseYamlDocuments } from '../support/read-manifests.ts';
import { openTestSources, type TestSources } from '../support/sources.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

const cases: readonly FidelityCase[] = [...helmCases, ...kustomizeCases, ...directoryCases];
const MANIFESTS_MIN = 60;

describeWithTool('helm', 'manifests beside those of the tools themselves', (helm) => {
  let repository: GitRepository;
  let test: TestSources;
  let kustomize: string;
  let scratch: string;

  beforeAll(async () => {
    kustomize = await ensureTool('kustomize');
    scratch = await mkdtemp(join(tmpdir(), 'fidelity-'));
    const files = cases.flatMap(({ name, files: own }) =>
      Object.entries(own).map(([path, content]) => [path.startsWith('/') ? path.slice(1) : `${name}/${path}`, content] as const),
    );
    repository = await createGitRepository(Object.fromEntries(files));
    await cp(repository.folder, join(scratch, 'copy'), { recursive: true, verbatimSymlinks: true });
    test = await openTestSources({ tools: { searchPath: process.env['PATH'] ?? '', helm: helm(), kustomize } });
  }, 1_500_000);
  afterAll(async () => {
    await test.close();
    await repository.remove();
    await rm(scratch, { recursive: true, force: true });
  });

  async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
    return (await promisify(execFile)(program, [...args], { cwd, env: { HOME: scratch, PATH: '' } })).stdout;
  }

  async function renderByHand({ name, byHand }: FidelityCase): Promise<unknown[]> {
    const folder = join(scratch, 'copy', name);
    if (byHand.tool === 'helm') return parseYamlDocuments(await run(helm(), ['template', '.', ...byHand.args], folder));
    if (byHand.tool === 'kustomize') {
      for (const [path, content] of Object.entries(byHand.files ?? {})) await writeFile(join(folder, path), content);
      for (const args of byHand.edits ?? []) await run(kustomize, args, folder);
      return parseYamlDocuments(await run(kustomize, ['build', '.', ...(byHand.build ?? [])], folder));
    }
    const texts = await Promise.all(byHand.files.map((file) => readFile(join(folder, file), 'utf8')));
    return texts.flatMap((text) => parseYamlDocuments(text.replace(/^\ufeff/, '')));
  }

  it('are of enough sources to say something', () => {
    expect(cases.length).toBeGreaterThanOrEqual(MANIFESTS_MIN);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });

  it.each(cases.map((each) => [each.name, each] as const))('%s', async (name, each) => {
    const { objects } = await test.render({ repoURL: repository.url, path: name, ...each.source }, each.request);
    const byHand = (await renderByHand(each)).flatMap(itemsOf);
    expect(byHand.length).toBeGreaterThan(0);
    expect(objects).toEqual(byHand);
  });
});

/** Lists are taken apart. */
function itemsOf(object: unknown): unknown[] {
  const { kind, items } = object as { readonly kind?: string; readonly items?: unknown[] };
  return kind?.endsWith('List') === true && items !== undefined ? items : [object];
}
