import { formatApiVersion } from '../../objects/index.ts';
import type { JsonObject, JsonValue, KubeObject, ObjectMeta } from '../../objects/index.ts';
import type { TextList } from '../../embedded/index.ts';
import type { DiscoveredResource, ObjectList, WatchEvent } from '../../kube/index.ts';
import type { ObjectForm } from './negotiate.ts';
import type { ServedApi } from './served-api.ts';
import { columnsOf } from './table/columns-of.ts';
import type { Column } from './table/column.ts';
import { encodeEvent } from './watch-lines.ts';

const META = 'meta.k8s.io/v1';

/** Turns objects into the form that a client has asked for. */
export interface Renderer {
  object(object: KubeObject): string;
  list(list: ObjectList): string;
  event(event: WatchEvent): string;
}

export interface RenderOptions {
  readonly api: ServedApi;
  readonly resource: DiscoveredResource;
  readonly form: ObjectForm;
  /** What a row of a table brings of its object: `None`, `Metadata` or `Object`. */
  readonly includeObject: string;
  readonly nowMs: () => number;
}

export async function createRenderer(options: RenderOptions): Promise<Renderer> {
  if (options.form === 'table') return tableRenderer(options, await columnsOf(options.api, options.resource));
  const { api, resource, form } = options;
  const textOf = form === 'metadata' ? (object: KubeObject) => JSON.stringify(metadataOnly(object)) : objectText(api);
  return {
    object: textOf,
    list: ({ metadata, items }) => {
      const kind = form === 'metadata' ? 'PartialObjectMetadataList' : `${resource.kind}List`;
      const apiVersion = form === 'metadata' ? META : formatApiVersion(resource);
      return listText({ kind, apiVersion, metadata }, items.map(textOf));
    },
    event: (event) => encodeEvent(event, textOf),
  };
}

/** A list whose items are JSON already. */
export function renderTexts(resource: DiscoveredResource, { metadata, items }: TextList): string {
  return listText({ kind: `${resource.kind}List`, apiVersion: formatApiVersion(resource), metadata }, items);
}

function listText(head: object, items: readonly string[]): string {
  return `${JSON.stringify(head).slice(0, -1)},"items":[${items.join(',')}]}`;
}

function objectText(api: ServedApi): (object: KubeObject) => string {
  return api.jsonText === undefined ? (object) => JSON.stringify(object) : (object) => api.jsonText?.(object) ?? '';
}

function tableRenderer({ includeObject, nowMs }: RenderOptions, columns: readonly Column[]): Renderer {
  const definitions = columns.map(({ name, type, format = '', priority = 0, description = '' }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));
  const table = (metadata: JsonObject, rows: readonly JsonObject[], columnDefinitions: readonly JsonObject[]): string =>
    JSON.stringify({ kind: 'Table', apiVersion: META, metadata, columnDefinitions, rows });
  const row = (object: KubeObject): JsonObject => ({
    cells: columns.map((column) => cellOf(column, object, nowMs())),
    object: rowObject(object, includeObject),
  });
  let isFirst = true;
  return {
    object: (object) => table(versionOf(object.metadata), [row(object)], definitions),
    list: ({ metadata, items }) => table({ ...metadata }, items.map(row), definitions),
    event: (event) => {
      if (event.type === 'ERROR') return encodeEvent(event, (object) => JSON.stringify(object));
      const shown = isFirst ? definitions : [];
      isFirst = false;
      const text = table(versionOf(event.object.metadata), event.type === 'BOOKMARK' ? [] : [row(event.object)], shown);
      return `{"type":"${event.type}","object":${text}}`;
    },
  };
}

function cellOf(column: Column, object: KubeObject, nowMs: number): JsonValue {
  return column.value(object as unknown as JsonObject, nowMs) ?? null;
}

function rowObject(object: KubeObject, includeObject: string): JsonValue {
  if (includeObject === 'None') return null;
  return (includeObject === 'Object' ? object : metadataOnly(object)) as unknown as JsonObject;
}

function metadataOnly({ metadata }: KubeObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: META, metadata: metadata as unknown as JsonObject };
}

function versionOf({ resourceVersion = '' }: ObjectMeta): JsonObject {
  return { resourceVersion };
}
