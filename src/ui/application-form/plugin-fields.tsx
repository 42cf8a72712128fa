import type { ReactElement } from 'react';
import type {
  ApplicationSource,
  ApplicationSourcePlugin,
  ApplicationSourcePluginParameter,
  ParameterAnnouncement,
  PluginAppSpec,
} from '../../contract/gen/types.ts';
import { TextField } from '../design/index.ts';
import { ListField, MapField, RowsField } from './rows-field.tsx';
import { setField, setPart } from './set-field.ts';

interface PluginFieldsProps {
  readonly source: ApplicationSource;
  /** What the plugin says of itself; undefined where it could not be asked. */
  readonly announced: PluginAppSpec | undefined;
  /** The names of those that there are. */
  readonly names: readonly string[];
  readonly onChange: (source: ApplicationSource) => void;
}

/** What a plugin is given. */
export function PluginFields({ source, announced, names, onChange }: PluginFieldsProps): ReactElement {
  const plugin = source.plugin ?? {};
  const change = (next: ApplicationSourcePlugin): void => onChange(setPart(source, 'plugin', next));
  const set = (name: string, value: ApplicationSourcePluginParameter | undefined): void => {
    const before = plugin.parameters ?? [];
    // What is there keeps its place: the difference is then only what somebody changed.
    const changed = value === undefined ? [] : [value];
    const next = before.some((parameter) => parameter.name === name)
      ? before.flatMap((parameter) => (parameter.name === name ? changed : [parameter]))
      : [...before, ...changed];
    change(setField(plugin, 'parameters', next));
  };
  return (
    <div className="stack">
      <TextField
        title="Plugin"
        value={plugin.name ?? ''}
        placeholder="the one that recognises the folder"
        suggestions={names}
        onChange={(value) => change(setField(plugin, 'name', value.trim()))}
      />
      {(announced?.parametersAnnouncement ?? []).map((announcement) => (
        <PluginParameter
          key={announcement.name}
          announcement={announcement}
          value={plugin.parameters?.find(({ name }) => name === announcement.name)}
          onChange={(value) => set(announcement.name ?? '', value)}
        />
      ))}
      <RowsField
        title="Environment"
        rows={(plugin.env ?? []).map(({ name, value }) => ({ name, value }))}
        columns={[
          { id: 'name', title: 'name' },
          { id: 'value', title: 'value' },
        ]}
        addTitle="Add a variable"
        onChange={(rows) =>
          change(
            setField(
              plugin,
              'env',
              rows.filter(({ name }) => name !== '').map(({ name, value }) => ({ name: String(name), value: String(value) })),
            ),
          )
        }
      />
    </div>
  );
}

interface PluginParameterProps {
  readonly announcement: ParameterAnnouncement;
  readonly value: ApplicationSourcePluginParameter | undefined;
  readonly onChange: (value: ApplicationSourcePluginParameter | undefined) => void;
}

function PluginParameter({ announcement, value, onChange }: PluginParameterProps): ReactElement {
  const { name = '', title, tooltip, collectionType = '', required = false } = announcement;
  const shown = `${title || name}${required ? ' (needed)' : ''}`;
  if (collectionType === 'array')
    return (
      <ListField
        title={shown}
        hint={tooltip}
        values={value?.array ?? announcement.array ?? []}
        addTitle="Add an entry"
        onChange={(array) => onChange({ name, array })}
      />
    );
  if (collectionType === 'map')
    return (
      <MapField
        title={shown}
        hint={tooltip}
        values={value?.map ?? announcement.map ?? {}}
        addTitle="Add an entry"
        onChange={(map) => onChange({ name, map })}
      />
    );
  return (
    <TextField
      title={shown}
      hint={tooltip}
      value={value?.string ?? ''}
      placeholder={announcement.string}
      onChange={(text) => onChange(text === '' ? undefined : { name, string: text })}
    />
  );
}
