import { LineCounter, parseAllDocuments, type Document } from 'yaml';
import type { Application } from '../../../contract/gen/types.ts';
import { isRecord } from '../../api/index.ts';

export type NewApplication = Pick<Application, 'metadata' | 'spec'>;

/** One document of a pasted text: an application, or what is wrong with it. */
export interface ReadDocument {
  /** The same for as long as the document says the same. */
  readonly key: string;
  /** Where it begins, from 1. */
  readonly line: number;
  readonly title: string;
  readonly application: NewApplication | undefined;
  readonly problem: string | undefined;
}

/** More than this is a task for a repository. */
const DOCUMENTS_MAX = 50;

/** The applications of a pasted text, in their order. Empty documents are left out. */
export function readDocuments(text: string): readonly ReadDocument[] {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines });
  const documents: readonly Document[] = Array.isArray(parsed) ? parsed : [];
  const read = documents.flatMap((document) => readDocument(document, lines));
  return read.slice(0, DOCUMENTS_MAX);
}

function readDocument(document: Document, lines: LineCounter): readonly ReadDocument[] {
  // The document begins where its content does; before that there may be comments.
  const start = document.contents?.range?.[0] ?? document.range?.[0] ?? 0;
  const { line } = lines.linePos(start);
  const error = document.errors[0];
  if (error !== undefined) return [wrong(line, '', `${firstLine(error.message)}`)];
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (value === null || value === undefined) return [];
  const items = isRecord(value) && value['kind'] === 'List' && Array.isArray(value['items']) ? (value['items'] as unknown[]) : [value];
  return items.map((item) => readApplication(item, line));
}

function readApplication(value: unknown, line: number): ReadDocument {
  if (!isRecord(value)) return wrong(line, '', 'This is no object: an application has apiVersion, kind, metadata and spec');
  const { apiVersion, kind, metadata, spec } = value;
  const name = isRecord(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
  if (kind !== 'Application') return wrong(line, name, `Its kind is ${describe(kind)}, and not Application`);
  if (typeof apiVersion !== 'string' || !apiVersion.startsWith('argoproj.io/'))
    return wrong(line, name, `Its apiVersion is ${describe(apiVersion)}, and not argoproj.io/v1alpha1`);
  if (name === '') return wrong(line, name, 'It has no name: write one below metadata');
  if (!isRecord(spec)) return wrong(line, name, 'It has no spec');
  const application = { metadata, spec } as unknown as NewApplication;
  return { key: JSON.stringify(application), line, title: name, application, problem: undefined };
}

function wrong(line: number, title: string, problem: string): ReadDocument {
  return { key: `${line} ${problem}`, line, title, application: undefined, problem };
}

function describe(value: unknown): string {
  return typeof value === 'string' ? value : 'missing';
}

function firstLine(text: string): string {
  return text.split('\n')[0]?.replace(/:$/, '') ?? '';
}
