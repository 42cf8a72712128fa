import { useState, type ReactElement } from 'react';
import { useCan } from '../../../api/index.ts';
import { Button } from '../../../design/index.ts';
import { useShown, useShownObject } from '../use-application.ts';
import { WindowsCard } from '../windows/windows-card.tsx';
import { DestinationCard } from './destination-card.tsx';
import { InfoCard } from './info-card.tsx';
import { PolicyCard } from './policy-card.tsx';
import { SourceCard } from './source-card.tsx';
import { SpecEditor } from './spec-editor.tsx';
import './details.css';

/** What the application is told to do, and the means to tell it something else: by form, part by part, or all of it as YAML. */
export function DetailsTab(): ReactElement {
  const { spec, status } = useShown();
  const canUpdate = useCan('applications', 'update', useShownObject());
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <SpecEditor onClose={() => setEditing(false)} />;
  const sources = spec.sources ?? (spec.source === undefined ? [] : [spec.source]);
  return (
    <div className="stack details">
      <div className="row">
        <span className="grow" />
        <Button icon="code" permission={canUpdate} onClick={() => setEditing(true)}>
          Edit as YAML
        </Button>
      </div>
      <DestinationCard />
      {sources.map((source, index) => (
        <SourceCard
          key={`${source.repoURL}/${source.path ?? source.chart ?? ''}/${index}`}
          {...{ source, index }}
          count={sources.length}
          type={status?.sourceTypes?.[index] ?? status?.sourceType}
        />
      ))}
      <PolicyCard />
      <WindowsCard />
      <InfoCard />
    </div>
  );
}
