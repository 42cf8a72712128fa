import { isJsonArray, isJsonObject, jsonObject, ownValue } from '../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../json-value.ts';
import { narrowAtom } from './atom.ts';
import type { Atom, ListAtom, MapAtom } from './atom.ts';
import { elementAddress } from './list-elements.ts';

/**
 * Lays an applied configuration over a live value of the same type: nothing is removed, and where both say something about one piece the
 * configuration wins. Keyed lists and sets take over the configuration's order for what it names. Both must fit the type.
 */
export function mergeTyped(live: JsonValue, config: JsonValue, atom: Atom): JsonValue {
  return merge(live, config, atom) ?? {};
}

type Side = JsonValue | undefined;

function merge(live: Side, config: Side, atom: Atom): Side {
  if (config === undefined) return mergeAs(narrowAtom(atom, live), live, config);
  return mergeAs(narrowAtom(atom, config), live, config);
}

function mergeAs({ map, scalar, list }: Atom, live: Side, config: Side): Side {
  if (map !== undefined) {
    const [own, other] = [isJsonObject(live) ? live : {}, isJsonObject(config) ? config : {}];
    // Where both are empty or null the configuration's word stands, so that an empty object stays one.
    if (map.atomic || (isEmpty(own) && isEmpty(other))) return config === undefined ? live : config;
    return mergeMaps(own, other, map);
  }
  if (scalar !== undefined || list === undefined) return config === undefined ? live : config;
  const [own, other] = [isJsonArray(live) ? live : [], isJsonArray(config) ? config : []];
  if (list.keys === undefined || (own.length === 0 && other.length === 0)) return config === undefined ? live : config;
  return mergeLists(own, other, list);
}

function mergeMaps(live: JsonObject, config: JsonObject, map: MapAtom): JsonObject | undefined {
  const entries: [string, JsonValue][] = [];
  const mergeKey = (key: string): void => {
    const type = map.field(key) ?? map.values?.();
    // What the schema does not know can only be live, and stays.
    const merged = type === undefined ? ownValue(live, key) : merge(ownValue(live, key), ownValue(config, key), type);
    if (merged !== undefined) entries.push([key, merged]);
  };
  for (const key of Object.keys(live)) mergeKey(key);
  for (const key of Object.keys(config)) if (!Object.hasOwn(live, key)) mergeKey(key);
  return entries.length === 0 ? undefined : jsonObject(entries);
}

interface Indexed {
  /** The address of each element, in order. */
  readonly keys: readonly string[];
  /** Elements that share an address are not merged, so null stands for them. */
  readonly values: ReadonlyMap<string, JsonValue>;
}

function indexElements(elements: JsonArray, list: ListAtom): Indexed {
  const keys: string[] = [];
  const values = new Map<string, JsonValue>();
  for (const element of elements) {
    const key = elementAddress(list, element).text;
    keys.push(key);
    values.set(key, values.has(key) ? null : element);
  }
  return { keys, values };
}

/**
 * Walks both lists at once. Elements of only one side keep their place among their neighbours; shared elements come in the order of the
 * configuration, so a live element that the configuration names later is passed over until its turn.
 */
function mergeLists(live: JsonArray, config: JsonArray, list: ListAtom): JsonArray | undefined {
  const own = indexElements(live, list);
  const other = indexElements(config, list);
  const shared = other.keys.filter((key) => own.values.has(key)).values();
  let nextShared = shared.next().value;
  const done = new Set<string>();
  const merged: JsonValue[] = [];
  const take = (liveItem: Side, configItem: Side): void => {
    const item = merge(liveItem, configItem, list.items());
    if (item !== undefined) merged.push(item);
  };
  let [left, right] = [0, 0];
  while (left < own.keys.length || right < other.keys.length) {
    const ownKey = own.keys[left];
    const otherKey = other.keys[right];
    if (ownKey !== undefined && otherKey !== undefined) {
      if (ownKey === otherKey) {
        done.add(ownKey);
        take(own.values.get(ownKey), other.values.get(ownKey));
        [left, right] = [left + 1, right + 1];
        nextShared = shared.next().value;
        continue;
      }
      if (other.values.has(ownKey) && nextShared !== undefined && nextShared !== ownKey) {
        left++;
        continue;
      }
    }
    if (ownKey !== undefined) {
      if (!other.values.has(ownKey)) {
        take(live[left], undefined);
        left++;
        continue;
      }
      if (done.has(ownKey)) left++;
    }
    if (otherKey !== undefined) {
      done.add(otherKey);
      take(own.values.get(otherKey), other.values.get(otherKey));
      right++;
    }
  }
  return merged.length === 0 ? undefined : merged;
}

function isEmpty(value: JsonObject): boolean {
  return Object.keys(value).length === 0;
}
