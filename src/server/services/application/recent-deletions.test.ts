import { afterEach, expect, it } from 'vitest';
import { kinds } from '../../../../test/support/kinds.ts';
import { scriptedList, scriptedObject } from '../../../../test/support/scripted-kube-api.ts';
import { openScriptedStore } from '../../../../test/support/scripted-store.ts';
import type { ObjectStore } from '../../../kube/index.ts';
import { rememberDeletions } from './recent-deletions.ts';

let store: ObjectStore | undefined;
afterEach(() => store?.stop());

async function follow() {
  let listed = scriptedList('10', [scriptedObject('one', '5'), scriptedObject('two', '6')]);
  const scripted = await openScriptedStore(kinds.configMap, () => listed);
  ({ store } = scripted);
  const deletions = rememberDeletions(scripted.store, { nowMs: () => scripted.timers.nowMs() });
  return {
    ...scripted,
    namesAfter: (known: number) => deletions.after(known).map(({ metadata }) => metadata.name),
    listAgain: async (...given: Parameters<typeof scriptedList>) => {
      listed = scriptedList(...given);
      await scripted.listAgain();
    },
  };
}

it('tells of a deletion to those who know less than its version', async () => {
  const { tell, namesAfter, timers } = await follow();
  await tell('DELETED', scriptedObject('one', '12'));
  expect([namesAfter(11), namesAfter(12)]).toEqual([['one'], []]);
  await tell('ADDED', scriptedObject('one', '13'));
  expect(namesAfter(11)).toEqual([]);
  await tell('DELETED', scriptedObject('one', '14'));
  expect(namesAfter(11)).toEqual(['one']);
  await timers.advance(60_000);
  expect(namesAfter(11)).toEqual([]);
});

it('tells of what a list no longer named to all, as nobody knows when it was deleted', async () => {
  const { listAgain, namesAfter } = await follow();
  await listAgain('20', [scriptedObject('two', '6')]);
  expect([namesAfter(5), namesAfter(10), namesAfter(15)]).toEqual([['one'], ['one'], ['one']]);
  await listAgain('30', [scriptedObject('one', '25'), scriptedObject('two', '6')]);
  expect(namesAfter(10)).toEqual([]);
});
