import { expect, it } from 'vitest';
import { findNameFault, findPolicyFault, findTextFaults, formatPolicy, readPolicy, readRows, type PolicyRow } from './policy-line.ts';

const NAME = { project: 'shop', role: 'ci' };
const LINE = 'p, proj:shop:ci, applications, sync, shop/*, allow';

it('reads what it writes, whatever the spaces', () => {
  const row: PolicyRow = { resource: 'applications', action: 'sync', object: 'shop/*', effect: 'allow' };
  expect(readPolicy(LINE, NAME)).toEqual(row);
  expect(readPolicy(LINE.replaceAll(' ', ''), NAME)).toEqual(row);
  expect(formatPolicy(row, NAME)).toBe(LINE);
});

it.each([
  ['p, proj:shop:ci, applications, sync, shop/*', /A line reads/],
  ['g, proj:shop:ci, applications, sync, shop/*, allow', /A line reads/],
  ['p, proj:other:ci, applications, sync, shop/*, allow', /about “proj:shop:ci”/],
  ['p, proj:shop:ci, applications, sync, shop/*, perhaps', /“allow” or “deny”/],
  ['p, proj:shop:ci, accounts, get, shop/*, allow', /not “accounts”/],
  ['p, proj:shop:ci, applications, fly, shop/*, allow', /“fly” is no action/],
  ['p, proj:shop:ci, applications, sync, other/*, allow', /begin with the project/],
  ['p, proj:shop:ci, applications, sync, shop, allow', /begin with the project/],
  ['p, proj:shop:ci, applications, sync, shop//web, allow', /begin with the project/],
])('%s is refused', (line, reason) => expect(() => readPolicy(line, NAME)).toThrow(reason));

it('knows actions on parts of applications, and refuses what would become two fields', () => {
  const row: PolicyRow = { resource: 'applications', action: 'action/apps/Deployment/restart', object: 'shop/web', effect: 'allow' };
  expect(findPolicyFault(row, 'shop')).toBeUndefined();
  expect(findPolicyFault({ ...row, object: 'shop/web, allow' }, 'shop')).toMatch(/comma/);
});

it('numbers the lines of a text that cannot be read, and has no rows for it', () => {
  expect(findTextFaults(`${LINE}\n\nnonsense`, NAME)).toEqual([expect.stringMatching(/^Line 3: /)]);
  expect(readRows([LINE, ''], NAME)).toHaveLength(1);
  expect(readRows([LINE, 'nonsense'], NAME)).toBeUndefined();
});

it.each([
  ['ci', undefined],
  ['a-b_c', undefined],
  ['-a', /both ends/],
  ['a b', /both ends/],
  ['', /both ends/],
  ['taken', /already/],
])('the name %j', (name, fault) => {
  const found = findNameFault(name, ['taken']);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(fault);
});
