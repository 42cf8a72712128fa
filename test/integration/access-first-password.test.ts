import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { prepareHome } from '../../src/settings/index.ts';
import { openEmbeddedHome } from '../support/embedded-home.ts';
import { kinds } from '../support/kinds.ts';

const STARTS = 100;

it(`AUTH-11: ${STARTS} first starts make up ${STARTS} passwords, and keep each in its own Secret only`, async () => {
  const passwords = new Set<string>();
  const home = await openEmbeddedHome();
  try {
    for (let start = 0; start < STARTS; start += 1) {
      const namespace = `start-${start}`;
      const { generatedPassword = '' } = await prepareHome({
        api: home.api,
        namespace,
        clock: systemClock,
        log: home.log,
        // What it is hashed with is not looked at here, and would take a core for ten seconds.
        hashPassword: async () => `$2a$10$${'x'.repeat(53)}`,
        firstPassword: undefined,
        formerAdmin: undefined,
        certificate: undefined,
      });
      expect(generatedPassword).toMatch(/^[A-Za-z2-9-]{16}$/);
      passwords.add(generatedPassword);
      const { items } = await home.embedded.list(kinds.secret, { namespace });
      const encoded = Buffer.from(generatedPassword).toString('base64');
      const holders = items.filter((secret) => JSON.stringify(secret).includes(encoded)).map(({ metadata }) => metadata.name);
      expect(holders).toEqual(['argocd-initial-admin-secret']);
      expect(home.logged.join('\n')).not.toContain(generatedPassword);
    }
  } finally {
    await home.close();
  }
  expect(passwords.size).toBe(STARTS);
  // A short name may be in one of them by chance; made from it, they would all have it.
  expect([...passwords].filter((password) => password.includes(hostname())).length).toBeLessThan(STARTS / 10);
  // All characters come about equally often: of 1,600, each of 57 is expected 28 times.
  const counts = new Map<string, number>();
  for (const character of [...passwords].join('')) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBeGreaterThan(50);
  expect(Math.max(...counts.values())).toBeLessThan(70);
});
