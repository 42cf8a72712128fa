import { useState, type ReactElement } from 'react';
import type { ApplicationSource, RepoAppDetailsResponse } from '../../contract/gen/types.ts';
import { Segments } from '../design/index.ts';
import { DirectoryFields } from './directory-fields.tsx';
import { HelmFields } from './helm-fields.tsx';
import { KustomizeFields } from './kustomize-fields.tsx';
import { PluginFields } from './plugin-fields.tsx';

const TYPES = [
  { id: 'Helm', title: 'Helm' },
  { id: 'Kustomize', title: 'Kustomize' },
  { id: 'Directory', title: 'Directory' },
  { id: 'Plugin', title: 'Plugin' },
] as const;
type SourceType = (typeof TYPES)[number]['id'];

interface ParameterFieldsProps {
  readonly source: ApplicationSource;
  /** What the source holds; undefined where it could not be looked at. */
  readonly details: RepoAppDetailsResponse | undefined;
  readonly onChange: (source: ApplicationSource) => void;
}

/** What is told to the tool that renders a source. Where nobody knows which one that is, somebody says so. */
export function ParameterFields({ source, details, onChange }: ParameterFieldsProps): ReactElement {
  const [chosen, setChosen] = useState<SourceType>(() => guessType(source));
  const type = TYPES.find(({ id }) => id === details?.type)?.id ?? chosen;
  return (
    <div className="stack">
      {details === undefined && (
        <div className="row">
          <Segments label="How it is rendered" segments={TYPES} value={type} onChange={setChosen} />
        </div>
      )}
      {type === 'Helm' && <HelmFields {...{ source, onChange }} chart={details?.helm} />}
      {type === 'Kustomize' && <KustomizeFields {...{ source, onChange }} found={details?.kustomize} />}
      {type === 'Directory' && <DirectoryFields {...{ source, onChange }} />}
      {type === 'Plugin' && <PluginFields {...{ source, onChange }} announced={details?.plugin} />}
    </div>
  );
}

function guessType({ chart, helm, kustomize, plugin }: ApplicationSource): SourceType {
  if (chart || helm) return 'Helm';
  if (kustomize) return 'Kustomize';
  return plugin ? 'Plugin' : 'Directory';
}
