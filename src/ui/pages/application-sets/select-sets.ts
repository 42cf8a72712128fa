import type { ApplicationSet } from '../../../contract/gen/types.ts';
import { readList, readText, type SearchValues } from '../../app/index.ts';
import { countApplications, projectOf, stateOf } from './set-state.ts';
import { keyOfSet } from './use-application-sets.ts';

export const FILTERS: readonly string[] = ['search', 'proj', 'health'];

const SORTS: Readonly<Record<string, (set: ApplicationSet) => string | number>> = {
  name: keyOfName,
  project: projectOf,
  health: (set) => stateOf(set).health,
  applications: (set) => countApplications(set).total,
  since: (set) => Date.parse(stateOf(set).since ?? '') || 0,
};

/** The sets that the address asks for, in its order. */
export function selectSets(sets: readonly ApplicationSet[], search: SearchValues): readonly ApplicationSet[] {
  const text = readText(search['search']).trim().toLowerCase();
  const [projects, healths] = [readList(search['proj']), readList(search['health'])];
  const shown = sets.filter(
    (set) =>
      (text === '' || keyOfName(set).toLowerCase().includes(text)) &&
      (projects.length === 0 || projects.includes(projectOf(set))) &&
      (healths.length === 0 || healths.includes(stateOf(set).health)),
  );
  const order = readOrder(search);
  const sort = SORTS[order.replace(/^-/, '')] ?? keyOfName;
  const direction = order.startsWith('-') ? -1 : 1;
  return shown
    .map((set) => ({ set, value: sort(set), key: keyOfSet(set) }))
    .toSorted((one, other) => direction * compare(one.value, other.value) || compare(one.key, other.key))
    .map(({ set }) => set);
}

export function readOrder(search: SearchValues): string {
  const order = readText(search['sort']);
  return Object.hasOwn(SORTS, order.replace(/^-/, '')) ? order : 'name';
}

function keyOfName({ metadata }: ApplicationSet): string {
  return metadata.name ?? '';
}

function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
