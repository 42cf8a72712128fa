import { useState, type ReactElement } from 'react';
import type { ApplicationSource, ApplicationSourceKustomize, KustomizeAppSpec } from '../../contract/gen/types.ts';
import { Badge, Button, Check, TextField } from '../design/index.ts';
import { listImages, tellImages, type ImageRow } from './kustomize-image.ts';
import { ListField, MapField, RowsField } from './rows-field.tsx';
import { setField, setPart } from './set-field.ts';

interface KustomizeFieldsProps {
  readonly source: ApplicationSource;
  /** What the kustomization holds; undefined where it could not be looked at. */
  readonly found: KustomizeAppSpec | undefined;
  readonly onChange: (source: ApplicationSource) => void;
}

const TEXTS = [
  { id: 'namePrefix', title: 'Name prefix', placeholder: 'staging-' },
  { id: 'nameSuffix', title: 'Name suffix', placeholder: '-v2' },
  { id: 'namespace', title: 'Namespace', placeholder: 'as the kustomization says' },
] as const;
const FLAGS = [
  { id: 'forceCommonLabels', title: 'Labels win over those that are there' },
  { id: 'labelWithoutSelector', title: 'Labels are left out of selectors' },
  { id: 'forceCommonAnnotations', title: 'Annotations win over those that are there' },
  { id: 'ignoreMissingComponents', title: 'Go on where a component does not exist' },
] as const;

/** What a kustomization is given. */
export function KustomizeFields({ source, found, onChange }: KustomizeFieldsProps): ReactElement {
  const kustomize = source.kustomize ?? {};
  const change = (next: ApplicationSourceKustomize): void => onChange(setPart(source, 'kustomize', next));
  return (
    <div className="stack">
      <Images
        key={(found?.images ?? []).join()}
        present={found?.images ?? []}
        told={kustomize.images ?? []}
        onChange={(images) => change(setField(kustomize, 'images', images))}
      />
      <div className="form-columns">
        {TEXTS.map(({ id, title, placeholder }) => (
          <TextField
            key={id}
            {...{ title, placeholder }}
            value={kustomize[id] ?? ''}
            onChange={(value) => change(setField(kustomize, id, value.trim()))}
          />
        ))}
      </div>
      <RowsField
        title="Replicas"
        rows={(kustomize.replicas ?? []).map(({ name, count }) => ({ name, count: String(count) }))}
        columns={[
          { id: 'name', title: 'name of the workload' },
          { id: 'count', title: 'count' },
        ]}
        addTitle="Set replicas of a workload"
        onChange={(rows) =>
          change(
            setField(
              kustomize,
              'replicas',
              rows
                .filter(({ name, count }) => name !== '' && /^\d+$/.test(String(count)))
                .map(({ name, count }) => ({ name: String(name), count: Number(count) })),
            ),
          )
        }
      />
      <MapField
        title="Common labels"
        values={kustomize.commonLabels ?? {}}
        addTitle="Add a label"
        onChange={(values) => change(setPart(kustomize, 'commonLabels', values))}
      />
      <MapField
        title="Common annotations"
        values={kustomize.commonAnnotations ?? {}}
        addTitle="Add an annotation"
        onChange={(values) => change(setPart(kustomize, 'commonAnnotations', values))}
      />
      <ListField
        title="Components"
        values={kustomize.components ?? []}
        placeholder="../components/monitoring"
        addTitle="Add a component"
        onChange={(values) => change(setField(kustomize, 'components', values))}
      />
      <div className="form-checks">
        {FLAGS.map(({ id, title }) => (
          <Check key={id} title={title} isOn={kustomize[id] === true} onChange={(isOn) => change(setField(kustomize, id, isOn))} />
        ))}
      </div>
      {(kustomize.patches ?? []).length > 0 && (
        <p className="faint">It has {kustomize.patches!.length} patches, too: these are edited as YAML.</p>
      )}
    </div>
  );
}

interface ImagesProps {
  readonly present: readonly string[];
  readonly told: readonly string[];
  readonly onChange: (images: string[]) => void;
}

function Images({ present, told, onChange }: ImagesProps): ReactElement {
  const [rows, setRows] = useState(() => listImages(present, told));
  const change = (index: number, part: Partial<ImageRow>): void => {
    const next = rows.map((row, place) => (place === index ? { ...row, ...part, isChanged: true } : row));
    setRows(next);
    onChange(tellImages(next));
  };
  const add = (): void => setRows([...rows, { name: '', newName: '', version: '', present: '', isChanged: true }]);
  return (
    <fieldset className="rows-field">
      <legend>Images</legend>
      {rows.length === 0 && <p className="faint">The kustomization names none.</p>}
      {rows.map((row, index) => (
        <div key={index} className="parameter-row">
          {row.present === '' && row.isChanged ? (
            <input
              className="input"
              aria-label={`Image ${index + 1}`}
              placeholder="image"
              value={row.name}
              onChange={({ target }) => change(index, { name: target.value.trim() })}
            />
          ) : (
            <span className="mono parameter-name">
              <bdi>{row.name}</bdi> {(row.version !== '' || row.newName !== '') && <Badge tone="busy">changed</Badge>}
            </span>
          )}
          <input
            className="input"
            aria-label={`Tag of ${row.name}`}
            autoComplete="off"
            spellCheck={false}
            placeholder={row.present === '' ? 'tag, or @digest' : row.present}
            value={row.version}
            onChange={({ target }) => change(index, { version: target.value.trim() })}
          />
          <input
            className="input"
            aria-label={`Another image instead of ${row.name}`}
            autoComplete="off"
            spellCheck={false}
            placeholder="another image instead"
            value={row.newName}
            onChange={({ target }) => change(index, { newName: target.value.trim() })}
          />
        </div>
      ))}
      <Button look="quiet" icon="plus" onClick={add}>
        Add an image
      </Button>
    </fieldset>
  );
}
