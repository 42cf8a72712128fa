import { createPolicy } from '../../src/access/index.ts';
import { createCasbin } from '../../test/support/casbin-oracle.ts';
import { interleave } from '../support/interleave.ts';
import { member, nameApplications, policyLines } from './policy-case.ts';

const applicationCount = 10_000;
/** Casbin takes long enough to be measured on a part. */
const casbinCount = 500;

/** How long it takes to find the applications that somebody may see, beside casbin on the same lines. */
export async function measureFilter(): Promise<void> {
  const applications = nameApplications(applicationCount);
  const settings = { policy: policyLines.join('\n'), policyIncomplete: false, defaultRole: '', matchMode: 'glob' } as const;
  const projects = new Map(
    Array.from({ length: 96 }, (_, team) => {
      const name = `team-${team}`;
      const policies = [`p, proj:${name}:ci, applications, sync, ${name}/*, allow`];
      return [
        name,
        { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: { name }, spec: { roles: [{ name: 'ci', policies }] } },
      ];
    }),
  );
  const policy = createPolicy({ settings: () => settings, findProject: (name) => projects.get(name) });
  const filter = () => applications.filter((object) => policy.isAllowed(member, 'applications', 'get', object)).length;
  const casbin = await createCasbin(policyLines, 'glob');
  const part = applications.slice(0, casbinCount);
  const subjects = [member.username, ...member.groups];
  const filterCasbin = () =>
    part.filter((object) => subjects.some((subject) => casbin.enforceSync(subject, 'applications', 'get', object))).length;
  const expected = part.filter((object) => policy.isAllowed(member, 'applications', 'get', object)).length;
  if (filterCasbin() !== expected) throw new Error('casbin sees other applications than we do');

  const first = performance.now();
  createPolicy({ settings: () => settings, findProject: () => undefined }).isAllowed(member, 'applications', 'get', 'a/b');
  const compileMs = performance.now() - first;
  const durations = interleave(
    [
      { name: 'ours', run: filter },
      { name: 'casbin', run: filterCasbin },
    ],
    { budgetMs: 10_000 },
  );
  const oursMs = durations.get('ours')!;
  const casbinMs = (durations.get('casbin')! * applicationCount) / casbinCount;
  console.log(
    `\n${applicationCount} applications filtered by ${policyLines.length} policy lines for a member of 5 groups (${filter()} seen)`,
  );
  console.log(`  ours    ${oursMs.toFixed(2)} ms   (goal: under 30; to compile the policy: ${compileMs.toFixed(2)} ms)`);
  console.log(`  casbin  ${casbinMs.toFixed(0)} ms   (from ${casbinCount} of them)`);
  console.log(`  ratio   ${(casbinMs / oursMs).toFixed(0)}×   (goal: over 100)`);
}
