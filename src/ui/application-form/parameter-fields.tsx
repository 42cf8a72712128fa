import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import type { ApplicationSource, RepoAppDetailsResponse } from '../../contract/gen/types.ts';
import { api } from '../api/index.ts';
import { Segments } from '../design/index.ts';
import { DirectoryFields } from './directory-fields.tsx';
import { HelmFields } from './helm-fields.tsx';
import { KustomizeFields } from './kustomize-fields.tsx';
import { PluginFields } from './plugin-fields.tsx';
import { setField } from './set-field.ts';

const TYPES = [
  { id: 'Helm', title: 'Helm' },
  { id: 'Kustomize', title: 'Kustomize' },
  { id: 'Directory', title: 'Directory' },
  { id: 'Plugin', title: 'Plugin' },
] as const;
type SourceType = (typeof TYPES)[number]['id'];

const HOW = [
  { id: 'found', title: 'As it is recognised' },
  { id: 'plugin', title: 'By a plugin' },
] as const;

interface ParameterFieldsProps {
  readonly source: ApplicationSource;
  /** What the source holds; undefined where it could not be looked at. */
  readonly details: RepoAppDetailsResponse | undefined;
  /** Whether the details are about what is chosen here, and not about what is stored. */
  readonly followsChoice?: boolean;
  readonly onChange: (source: ApplicationSource) => void;
}

/** What is told to the tool that renders a source. Where nobody knows which one that is, somebody says so. */
export function ParameterFields({ source, details, followsChoice = false, onChange }: ParameterFieldsProps): ReactElement {
  const [chosen, setChosen] = useState<SourceType>();
  const [isPluginAsked, setPluginAsked] = useState(source.plugin !== undefined);
  const names = usePluginNames();
  const found = TYPES.find(({ id }) => id === details?.type)?.id ?? chosen ?? guessType(source);
  const type = details !== undefined && isPluginAsked ? 'Plugin' : found;
  return (
    <div className="stack">
      {details === undefined && (
        <div className="row">
          <Segments label="How it is rendered" segments={TYPES} value={type} onChange={setChosen} />
        </div>
      )}
      {details !== undefined && names.length > 0 && followsChoice && (
        <div className="row">
          <Segments
            label="How it is rendered"
            segments={HOW}
            value={isPluginAsked ? 'plugin' : 'found'}
            onChange={(how) => {
              setPluginAsked(how === 'plugin');
              if (how === 'found') onChange(setField(source, 'plugin', undefined));
            }}
          />
        </div>
      )}
      {type === 'Helm' && <HelmFields {...{ source, onChange }} chart={details?.helm} />}
      {type === 'Kustomize' && <KustomizeFields {...{ source, onChange }} found={details?.kustomize} />}
      {type === 'Directory' && <DirectoryFields {...{ source, onChange }} />}
      {type === 'Plugin' && <PluginFields {...{ source, names, onChange }} announced={details?.plugin} />}
    </div>
  );
}

/** What is beside the server to render with; nothing where that cannot be asked. */
function usePluginNames(): readonly string[] {
  const { data } = useQuery({ queryKey: ['plugins'], queryFn: ({ signal }) => api.SettingsService.GetPlugins({}, { signal }) });
  return (data?.plugins ?? []).flatMap(({ name }) => name ?? []);
}

function guessType({ chart, helm, kustomize, plugin }: ApplicationSource): SourceType {
  if (chart || helm) return 'Helm';
  if (kustomize) return 'Kustomize';
  return plugin ? 'Plugin' : 'Directory';
}
