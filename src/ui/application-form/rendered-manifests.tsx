import { useMemo, useState, type ReactElement } from 'react';
import { stringify } from 'yaml';
import type { ManifestResponse } from '../../contract/gen/types.ts';
import { isRecord } from '../api/index.ts';
import { Badge, CodeView, Notice, formatCount } from '../design/index.ts';

interface Rendered {
  readonly title: string;
  readonly namespace: string;
  readonly kind: string;
  readonly value: unknown;
}

const LISTED_MAX = 500;

/** What a source renders to: a list of resources, and the one that is chosen as YAML. */
export function RenderedManifests({ answer }: { readonly answer: ManifestResponse }): ReactElement {
  const resources = useMemo(() => (answer.manifests ?? []).map(readManifest), [answer]);
  const [chosen, setChosen] = useState(0);
  const shown = resources[Math.min(chosen, resources.length - 1)];
  const text = useMemo(() => (shown === undefined ? '' : stringify(shown.value, { lineWidth: 0, aliasDuplicateObjects: false })), [shown]);
  if (shown === undefined)
    return <Notice tone="warn">It renders to nothing: there is no manifest at this path and revision, or everything is excluded.</Notice>;
  return (
    <div className="stack rendered-place">
      <div className="row form-summary">
        <strong>{countKinds(resources)}</strong>
        {answer.sourceType && <Badge>{answer.sourceType}</Badge>}
        {answer.revision && <span className="faint mono">{answer.revision.slice(0, 12)}</span>}
      </div>
      <div className="rendered">
        <ul className="rendered-list" aria-label="Rendered resources">
          {resources.slice(0, LISTED_MAX).map(({ title, namespace }, index) => (
            <li key={`${index} ${title}`}>
              <button type="button" className="found-folder" aria-pressed={index === chosen} onClick={() => setChosen(index)}>
                <span className="one-line">{title}</span>
                {namespace !== '' && <span className="faint one-line">{namespace}</span>}
              </button>
            </li>
          ))}
          {resources.length > LISTED_MAX && <li className="faint">and {resources.length - LISTED_MAX} more</li>}
        </ul>
        <div className="form-code">
          <CodeView text={text} label="Rendered manifest" />
        </div>
      </div>
    </div>
  );
}

/** All of it as one text, in one order, for comparisons. */
export function manifestsText(answer: ManifestResponse): string {
  return (answer.manifests ?? [])
    .map(readManifest)
    .toSorted((left, right) => `${left.title} ${left.namespace}`.localeCompare(`${right.title} ${right.namespace}`))
    .map(({ value }) => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n');
}

function readManifest(json: string): Rendered {
  const value: unknown = JSON.parse(json);
  const metadata = isRecord(value) && isRecord(value['metadata']) ? value['metadata'] : {};
  const read = (from: Record<string, unknown>, key: string): string => (typeof from[key] === 'string' ? from[key] : '');
  const kind = isRecord(value) ? read(value, 'kind') : '';
  return { title: `${kind} ${read(metadata, 'name')}`, namespace: read(metadata, 'namespace'), kind, value };
}

function countKinds(resources: readonly Rendered[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of resources) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const parts = [...counts].toSorted(([left], [right]) => left.localeCompare(right)).map(([kind, count]) => `${count} ${kind}`);
  return `${formatCount(resources.length, 'resource')}: ${parts.join(', ')}`;
}
