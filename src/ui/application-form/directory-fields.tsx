import type { ReactElement } from 'react';
import type { ApplicationSource, ApplicationSourceDirectory, ApplicationSourceJsonnet, JsonnetVar } from '../../contract/gen/types.ts';
import { Check, TextField } from '../design/index.ts';
import { ListField, RowsField } from './rows-field.tsx';
import { setField, setPart } from './set-field.ts';

interface DirectoryFieldsProps {
  readonly source: ApplicationSource;
  readonly onChange: (source: ApplicationSource) => void;
}

const VARIABLES = [
  { id: 'extVars', title: 'Jsonnet external variables', addTitle: 'Add an external variable' },
  { id: 'tlas', title: 'Jsonnet top-level arguments', addTitle: 'Add a top-level argument' },
] as const;

/** Which files of a folder count, and what Jsonnet is given. */
export function DirectoryFields({ source, onChange }: DirectoryFieldsProps): ReactElement {
  const directory = source.directory ?? {};
  const jsonnet = directory.jsonnet ?? {};
  const change = (next: ApplicationSourceDirectory): void => onChange(setPart(source, 'directory', next));
  const changeJsonnet = (next: ApplicationSourceJsonnet): void => change(setPart(directory, 'jsonnet', next));
  return (
    <div className="stack">
      <Check
        title="Also the folders below"
        isOn={directory.recurse === true}
        onChange={(isOn) => change(setField(directory, 'recurse', isOn))}
      />
      <div className="form-columns">
        <TextField
          title="Only files like"
          value={directory.include ?? ''}
          placeholder="*.yaml"
          hint="{a.yaml,b.yaml} names several"
          onChange={(value) => change(setField(directory, 'include', value.trim()))}
        />
        <TextField
          title="No files like"
          value={directory.exclude ?? ''}
          placeholder="config.json"
          onChange={(value) => change(setField(directory, 'exclude', value.trim()))}
        />
      </div>
      {VARIABLES.map(({ id, title, addTitle }) => (
        <RowsField
          key={id}
          {...{ title, addTitle }}
          rows={(jsonnet[id] ?? []).map(({ name, value, code = false }) => ({ name, value, code }))}
          columns={[
            { id: 'name', title: 'name' },
            { id: 'value', title: 'value' },
            { id: 'code', title: 'code', isFlag: true },
          ]}
          onChange={(rows) => changeJsonnet(setField(jsonnet, id, rows.filter(({ name }) => name !== '').map(toVariable)))}
        />
      ))}
      <ListField
        title="Jsonnet libraries"
        values={jsonnet.libs ?? []}
        placeholder="vendor"
        addTitle="Add a folder of libraries"
        onChange={(values) => changeJsonnet(setField(jsonnet, 'libs', values))}
      />
    </div>
  );
}

function toVariable({ name, value, code }: Record<'name' | 'value' | 'code', string | boolean>): JsonnetVar {
  return { name: String(name), value: String(value), ...(code === true && { code }) };
}
