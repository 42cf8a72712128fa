import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChartDetails } from '../../contract/index.ts';
import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonValue } from '../../objects/index.ts';
import { withFiles } from '../render-context.ts';
import type { RenderContext } from '../render-context.ts';
import type { TreeListing } from '../trees/tree-listing.ts';

/** What a chart says about itself. */
export async function readChartDetails(
  context: Pick<RenderContext, 'trees' | 'reader'>,
  listing: TreeListing,
  signal?: AbortSignal,
): Promise<ChartDetails> {
  if (listing.entries.get('Chart.yaml')?.kind !== 'file') return {};
  const bytes = await withFiles(context, { listing }, signal, (root) => readFile(join(root, 'Chart.yaml')));
  const chart = await context.reader.readValue({ name: 'Chart.yaml', form: 'stream', bytes });
  if (!isJsonObject(chart)) return {};
  const { description, home, maintainers } = chart;
  const named = (isJsonArray(maintainers) ? maintainers : []).flatMap(nameOf);
  return {
    ...(typeof description === 'string' && description !== '' && { description }),
    ...(typeof home === 'string' && home !== '' && { home }),
    ...(named.length > 0 && { maintainers: named }),
  };
}

function nameOf(maintainer: JsonValue): string[] {
  if (!isJsonObject(maintainer) || typeof maintainer['name'] !== 'string') return [];
  const { name, email } = maintainer;
  return [typeof email === 'string' && email !== '' ? `${name} <${email}>` : name];
}
