import { beforeAll, describe } from 'vitest';
import { BUILD_LIMIT_MS, ensureTool } from './ensure-tool.ts';
import { requireGo } from './go-toolchain.ts';
import { ToolMissing } from './tool.ts';
import type { ToolName } from './tool.ts';

/**
 * A suite that runs a tool we did not write. The tool is built before the first test, outside any test's time limit; `tool()` gives
 * its path from then on. Where it cannot be built for want of a toolchain, the suite is counted as skipped, with the reason in its
 * name and on the standard error.
 */
export function describeWithTool(name: ToolName, title: string, suite: (tool: () => string) => void): void {
  const missing = whyMissing(name);
  if (missing !== undefined) process.stderr.write(`SKIPPED: ${title}: ${missing}\n`);
  describe.skipIf(missing !== undefined)(missing === undefined ? title : `${title} [skipped: ${missing}]`, () => {
    let path: string | undefined;
    beforeAll(async () => {
      path = await ensureTool(name);
    }, 2 * BUILD_LIMIT_MS);
    suite(() => {
      if (path === undefined) throw new Error(`${name} is asked for before the tests run`);
      return path;
    });
  });
}

function whyMissing(name: ToolName): string | undefined {
  try {
    requireGo(name);
    return undefined;
  } catch (error) {
    if (error instanceof ToolMissing) return error.message;
    throw error;
  }
}
