import { expect, it } from 'vitest';
import { completeLock, findMissing, type Lock } from './complete-lock.ts';

const LOCK: Lock = {
  packages: {
    '': { dependencies: { crypt: '2.0.0' } },
    'node_modules/crypt': {
      version: '2.0.0',
      optionalDependencies: { '@crypt/linux-x64-gnu': '2.0.0', '@crypt/linux-arm64-musl': '2.0.0', '@crypt/win32-ia32-msvc': '2.0.0' },
    },
    'node_modules/@crypt/linux-x64-gnu': { version: '2.0.0', integrity: 'sha512-x', optional: true },
    'node_modules/lint': {
      version: '1.0.0',
      dev: true,
      optionalDependencies: { 'lint-darwin-arm64': '1.0.0', 'lint-wasm32-wasi': '1.0.0' },
    },
    'node_modules/lint/node_modules/lint-darwin-arm64': { version: '1.0.0', dev: true, optional: true },
  },
};

it('writes in the builds that are missing, with the platform that their names tell', () => {
  expect(Object.fromEntries(findMissing(LOCK))).toEqual({
    'node_modules/@crypt/linux-arm64-musl': { version: '2.0.0', os: ['linux'], cpu: ['arm64'], libc: ['musl'], optional: true },
    'node_modules/@crypt/win32-ia32-msvc': { version: '2.0.0', os: ['win32'], cpu: ['ia32'], optional: true },
    'node_modules/lint-wasm32-wasi': { version: '1.0.0', cpu: ['wasm32'], dev: true, optional: true },
  });
});

it('keeps what is there, in the order of npm, and is then content', () => {
  const complete = completeLock(LOCK);
  expect(complete.packages['node_modules/@crypt/linux-x64-gnu']).toEqual(LOCK.packages['node_modules/@crypt/linux-x64-gnu']);
  expect(Object.keys(complete.packages).slice(0, 3)).toEqual([
    '',
    'node_modules/@crypt/linux-arm64-musl',
    'node_modules/@crypt/linux-x64-gnu',
  ]);
  expect(completeLock(complete)).toBe(complete);
});

it('does not guess: a range or a name without a platform is an error', () => {
  const withOptional = (name: string, version: string): Lock => ({ packages: { a: { optionalDependencies: { [name]: version } } } });
  expect(() => findMissing(withOptional('a-linux-x64', '^1.0.0'))).toThrow(/exact version/);
  expect(() => findMissing(withOptional('fast-thing', '1.0.0'))).toThrow(/does not tell a platform/);
});
