import { describe, expect, it } from 'vitest';
import { substitute } from './build-environment.ts';

const environment = new Map([
  ['ARGOCD_APP_NAME', 'web'],
  ['A', '1'],
]);

describe('variables in a text', () => {
  it.each([
    ['$ARGOCD_APP_NAME-${A}', 'web-1'],
    ['$$A ${}$ $', '$A $ $'],
    ['${A} $A ${A', '1 1 ${A'],
    ['${A$A}$A', '1'],
    ['${A}$UNKNOWN.', '1.'],
    ['a}$A', 'a}1'],
  ])('%j is %j', (text, expected) => expect(substitute(text, environment)).toBe(expected));

  it('DOS-01: are not looked for again and again behind braces that never close', () => {
    const text = '${'.repeat(500_000);
    const startMs = performance.now();
    expect(substitute(text, environment)).toBe(text);
    expect(substitute(`${text}}`, environment)).toBe('');
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });
});
