import { expect, it } from 'vitest';
import type { ObjectStore } from '../kube/index.ts';
import { applicationSetType, applicationType, appProjectType } from '../model/index.ts';
import { requireRead, waitUntilRead } from './shadow.ts';

type State = Partial<Pick<ObjectStore, 'synced' | 'trouble'>>;
const forbidden: State = { synced: false, trouble: { reason: 'forbidden', message: 'applications is forbidden', code: 403 } };
const gone: State = { synced: false, trouble: { reason: 'gone', message: 'the API does not serve it', code: 404 } };

const open = (type: ObjectStore['type'], state: State) => ({ type, synced: true, trouble: undefined, ...state }) as ObjectStore;

function require({ projects = {}, applications = {}, sets = {} }: { projects?: State; applications?: State; sets?: State }): void {
  requireRead(open(appProjectType, projects), open(applicationType, applications), open(applicationSetType, sets));
}

it('shadows what can be read, with or without application sets', () => {
  expect(() => require({})).not.toThrow();
  expect(() => require({ sets: gone })).not.toThrow();
});

it.each([
  [{ applications: forbidden }, 'cannot read the objects of kind Application: applications is forbidden'],
  [{ projects: { synced: false } }, 'cannot read the objects of kind AppProject: there was no answer in time'],
  [{ applications: gone }, 'cannot read the objects of kind Application: the API does not serve it'],
  [{ sets: forbidden }, 'cannot read the objects of kind ApplicationSet: applications is forbidden'],
])('does not take what cannot be read for nothing: %j', (states, message) => {
  expect(() => require(states)).toThrow(message);
});

it('waits for a list that is still being read, also where a page was late, and not for what is refused', async () => {
  const late: State = { synced: false, trouble: { reason: 'unreachable', message: 'no answer within 60 s' } };
  let reads = 0;
  const applications = {
    ...open(applicationType, late),
    get synced(): boolean {
      reads += 1;
      return reads > 2;
    },
  };
  await waitUntilRead([open(appProjectType, {}), applications, open(applicationSetType, forbidden)]);
  expect(reads).toBe(3);
});
