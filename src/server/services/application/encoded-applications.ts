/** Applications as they leave, encoded once for each version: a list of thousands, or a change for hundreds of watchers, is put together from that. */
import { messageCodec, type ApplicationList, type ApplicationWatchEvent, type JsonObject } from '../../../contract/index.ts';
import { readApplication, type Application } from '../../../model/index.ts';
import type { KubeObject } from '../../../objects/index.ts';
import { attachEncoded } from '../../encoded.ts';

const APPLICATION = 'argoproj.v1alpha1.Application';
const LIST = 'argoproj.v1alpha1.ApplicationList';
const EVENT = 'argoproj.v1alpha1.ApplicationWatchEvent';
const LIST_METADATA = 'k8s.meta.v1.ListMeta';

const COMMA = Buffer.from(',');
const LIST_END = Buffer.from(']}');

const read = new WeakMap<KubeObject, Application>();
const texts = new WeakMap<Application, string>();
const textBytes = new WeakMap<Application, Uint8Array>();
const bytes = new WeakMap<Application, Uint8Array>();

/** A list as it was last put together. */
interface Joined {
  readonly items: readonly Application[];
  readonly head: Uint8Array;
  readonly whole: Uint8Array;
}

/** By their first application: they go when that changes or goes. */
const joinedTexts = new WeakMap<Application, Joined>();
const joinedBytes = new WeakMap<Application, Joined>();

/** A stored object as an application: the same value for everybody who asks, as long as that version of it is there. It must not be changed. */
export function readStored(object: KubeObject): Application {
  return remember(read, object, readApplication);
}

/** Lets a list be sent without encoding its applications again. It has nothing but metadata and applications that were read by `readStored`. */
export function withEncodedItems(list: ApplicationList): ApplicationList {
  const { metadata, items } = list;
  // What an empty list looks like is for the codec to know.
  if (items.length === 0) return list;
  return attachEncoded(list, {
    get jsonBytes() {
      const head = Buffer.from(`{"metadata":${jsonOf(LIST_METADATA, metadata)},"items":[`);
      return joinOnce(joinedTexts, items, head, () => [
        head,
        ...items.flatMap((item, index) => (index === 0 ? [textBytesOf(item)] : [COMMA, textBytesOf(item)])),
        LIST_END,
      ]);
    },
    get protobuf() {
      const head = messageCodec(LIST).encode({ metadata } as unknown as JsonObject);
      const field = fieldNumber(LIST, 'items');
      return joinOnce(joinedBytes, items, head, () => [head, ...items.flatMap((item) => asField(field, bytesOf(item)))]);
    },
  });
}

/** An event that is sent without encoding its application again, where another watcher was told of it. */
export function encodedEvent(type: string, application: Application): ApplicationWatchEvent {
  return attachEncoded<ApplicationWatchEvent>(
    { type, application },
    {
      get json() {
        return `{"type":${JSON.stringify(type)},"application":${textOf(application)}}`;
      },
      get protobuf() {
        const field = fieldNumber(EVENT, 'application');
        return Buffer.concat([messageCodec(EVENT).encode({ type }), ...asField(field, bytesOf(application))]);
      },
    },
  );
}

/** While nothing changes, everybody who asks for the same list is sent the same bytes. */
function joinOnce(
  known: WeakMap<Application, Joined>,
  items: readonly Application[],
  head: Uint8Array,
  parts: () => readonly Uint8Array[],
): Uint8Array {
  const [first] = items;
  const last = first && known.get(first);
  const isSame =
    last?.items.length === items.length &&
    Buffer.compare(last.head, head) === 0 &&
    last.items.every((item, index) => item === items[index]);
  if (last !== undefined && isSame) return last.whole;
  const whole = Buffer.concat(parts());
  if (first) known.set(first, { items, head, whole });
  return whole;
}

function textOf(application: Application): string {
  return remember(texts, application, (value) => jsonOf(APPLICATION, value));
}

function textBytesOf(application: Application): Uint8Array {
  return remember(textBytes, application, (value) => Buffer.from(jsonOf(APPLICATION, value)));
}

function bytesOf(application: Application): Uint8Array {
  return remember(bytes, application, (value) => messageCodec(APPLICATION).encode(value as unknown as JsonObject));
}

function jsonOf(message: string, value: object): string {
  return JSON.stringify(messageCodec(message).toJson(value as JsonObject));
}

function remember<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make(key)));
  return value;
}

function fieldNumber(message: string, name: string): number {
  const field = messageCodec(message).schema.fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`${message} has no field ${name}`);
  return field.number;
}

/** A message as a field of another: its number and wire type, its length, and itself. */
function asField(number: number, message: Uint8Array): readonly Uint8Array[] {
  const prefix = [(number << 3) | 2];
  let length = message.length;
  for (; length > 0x7f; length >>>= 7) prefix.push((length & 0x7f) | 0x80);
  prefix.push(length);
  return [Uint8Array.from(prefix), message];
}
