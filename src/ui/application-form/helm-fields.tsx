import { useState, type ReactElement } from 'react';
import { parse, stringify } from 'yaml';
import type { ApplicationSource, ApplicationSourceHelm, HelmAppSpec } from '../../contract/gen/types.ts';
import { isRecord } from '../api/index.ts';
import { Check, CodeView, Notice, TextField } from '../design/index.ts';
import { HelmParameters } from './helm-parameters.tsx';
import { ListField, RowsField } from './rows-field.tsx';
import { setField, setPart } from './set-field.ts';

interface HelmFieldsProps {
  readonly source: ApplicationSource;
  /** What the chart holds; undefined where it could not be looked at. */
  readonly chart: HelmAppSpec | undefined;
  readonly onChange: (source: ApplicationSource) => void;
}

const FLAGS = [
  { id: 'skipCrds', title: 'Leave out the custom resource definitions' },
  { id: 'skipTests', title: 'Leave out the tests of the chart' },
  { id: 'skipSchemaValidation', title: 'Do not hold the values against the schema of the chart' },
  { id: 'ignoreMissingValueFiles', title: 'Go on where a value file does not exist' },
  { id: 'passCredentials', title: 'Send the credentials to every host that the chart refers to' },
] as const;

/** What a chart is given. */
export function HelmFields({ source, chart, onChange }: HelmFieldsProps): ReactElement {
  const helm = source.helm ?? {};
  const change = (next: ApplicationSourceHelm): void => onChange(setPart(source, 'helm', next));
  return (
    <div className="stack">
      <TextField
        title="Release name"
        value={helm.releaseName ?? ''}
        placeholder="the name of the application"
        onChange={(value) => change(setField(helm, 'releaseName', value.trim()))}
      />
      <ListField
        title="Value files"
        hint="Later ones win over earlier ones. They are paths in the repository, addresses, or $name/path of another source."
        values={helm.valueFiles ?? []}
        suggestions={chart?.valueFiles}
        placeholder="values-production.yaml"
        addTitle="Add a value file"
        onChange={(values) => change(setField(helm, 'valueFiles', values))}
      />
      <HelmValues helm={helm} defaults={chart?.values ?? ''} onChange={change} />
      <HelmParameters helm={helm} defaults={chart?.parameters ?? []} onChange={change} />
      <details className="form-more">
        <summary>More</summary>
        <div className="stack">
          <RowsField
            title="Parameters from files"
            rows={(helm.fileParameters ?? []).map(({ name = '', path = '' }) => ({ name, path }))}
            columns={[
              { id: 'name', title: 'name' },
              { id: 'path', title: 'path' },
            ]}
            addTitle="Add a parameter from a file"
            onChange={(rows) =>
              change(
                setField(
                  helm,
                  'fileParameters',
                  rows.filter(({ name }) => name !== '').map(({ name, path }) => ({ name: String(name), path: String(path) })),
                ),
              )
            }
          />
          <div className="form-columns">
            <TextField
              title="Namespace that the chart sees"
              value={helm.namespace ?? ''}
              placeholder="that of the destination"
              onChange={(value) => change(setField(helm, 'namespace', value.trim()))}
            />
            <TextField
              title="Kubernetes version that the chart sees"
              value={helm.kubeVersion ?? ''}
              placeholder="that of the cluster"
              onChange={(value) => change(setField(helm, 'kubeVersion', value.trim()))}
            />
          </div>
          <ListField
            title="API versions that the chart sees"
            values={helm.apiVersions ?? []}
            placeholder="monitoring.coreos.com/v1"
            addTitle="Add an API version"
            onChange={(values) => change(setField(helm, 'apiVersions', values))}
          />
        </div>
      </details>
      <div className="form-checks">
        {FLAGS.map(({ id, title }) => (
          <Check key={id} title={title} isOn={helm[id] === true} onChange={(isOn) => change(setField(helm, id, isOn))} />
        ))}
      </div>
    </div>
  );
}

interface HelmValuesProps {
  readonly helm: ApplicationSourceHelm;
  readonly defaults: string;
  readonly onChange: (helm: ApplicationSourceHelm) => void;
}

/** Values are kept in the form that they have: as text, or as an object, which wins over text. */
function HelmValues({ helm, defaults, onChange }: HelmValuesProps): ReactElement {
  const isObject = isRecord(helm.valuesObject);
  const [text, setText] = useState(() => (isObject ? stringify(helm.valuesObject, { lineWidth: 0 }) : (helm.values ?? '')));
  const [problem, setProblem] = useState<string>();
  const change = (next: string): void => {
    setText(next);
    const read = readValues(next);
    setProblem(read.problem);
    if (read.problem !== undefined) return;
    onChange(isObject ? setPart(helm, 'valuesObject', read.values) : setField(helm, 'values', next));
  };
  return (
    <div className="field">
      <span id="helm-values">Values</span>
      <p className="faint field-hint">YAML. It wins over value files and over what the chart says itself.</p>
      <div className="form-code">
        <CodeView text={text} label="Values" onChange={change} />
      </div>
      {problem !== undefined && <Notice tone="bad">These values cannot be read, and are not taken over: {problem}</Notice>}
      {defaults !== '' && (
        <details className="form-more">
          <summary>What the chart says itself</summary>
          <div className="form-code">
            <CodeView text={defaults} label="Values of the chart" />
          </div>
        </details>
      )}
    </div>
  );
}

function readValues(text: string): { readonly values: Record<string, unknown>; readonly problem: string | undefined } {
  try {
    const values: unknown = parse(text);
    if (values === null || values === undefined) return { values: {}, problem: undefined };
    return isRecord(values)
      ? { values, problem: undefined }
      : { values: {}, problem: 'names with values are expected, as in "replicas: 2"' };
  } catch (error) {
    return { values: {}, problem: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
  }
}
