/** Ends a test run with one line that a machine can read: `N passed, N failed, N skipped`. */
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const counts = countTests(modules, errors.length);
    if (reason === 'interrupted') return;
    // Passing at the second try is a fault of the test or, worse, of what it tests.
    for (const name of listRetried(modules)) process.stdout.write(`passed only when tried again, to be mended: ${name}\n`);
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  }
}

function listRetried(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests('passed')]
      .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
      .map((test) => `${module.relativeModuleId} > ${test.fullName}`),
  );
}

/** A file that fails to load, and an error that no test owns, each count as one failure: neither may hide. */
function countTests(modules: readonly TestModule[], unownedErrors: number): Counts {
  const counts: Counts = { passed: 0, failed: unownedErrors, skipped: 0 };
  for (const module of modules) {
    let failedInModule = 0;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') counts.passed += 1;
      else if (state === 'failed') failedInModule += 1;
      else counts.skipped += 1;
    }
    counts.failed += failedInModule === 0 && !module.ok() ? 1 : failedInModule;
  }
  return counts;
}
