import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      // They keep nothing in modules and mock none: a worker reads each module once, and not again for each of 300 files.
      {
        extends: true,
        test: { name: 'unit', include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'], isolate: false },
      },
      // They run real servers against the clock on machines that others use too: where nobody watches, each may try twice.
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: ['test/ui/**'],
          retry: process.env['CI'] ? 1 : 0,
        },
      },
      // The first of them builds the web interface, and each starts a browser beside a server.
      {
        extends: true,
        test: {
          name: 'stories',
          include: ['test/ui/**/*.test.ts'],
          isolate: false,
          retry: process.env['CI'] ? 1 : 0,
          testTimeout: 90_000,
          hookTimeout: 180_000,
        },
      },
    ],
    reporters: ['default', './scripts/test/count-reporter.ts'],
    globalSetup: './test/support/run-folder.ts',
    setupFiles: './test/support/seed-properties.ts',
    // Suites start servers and tools of their own: more than two at once only makes each of them late.
    maxWorkers: 2,
    // Several times what the longest takes alone: a machine that others use too is not a fault of what is tested.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    expect: { poll: { timeout: 20_000 } },
    // What a test puts in the place of a variable or a function ends with it: the next file may run in the same process.
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
    // A focused test would silence all others.
    allowOnly: false,
  },
});
