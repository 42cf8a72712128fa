import { useState, type ReactElement } from 'react';
import type { ApplicationSourceHelm, HelmParameter } from '../../contract/gen/types.ts';
import { Badge, Button } from '../design/index.ts';
import { setField } from './set-field.ts';

interface HelmParametersProps {
  readonly helm: ApplicationSourceHelm;
  /** Those of the chart, with what it says itself. */
  readonly defaults: readonly HelmParameter[];
  readonly onChange: (helm: ApplicationSourceHelm) => void;
}

/** Charts have hundreds of them: so many are shown until somebody looks for one. */
const SHOWN_MAX = 12;

/** Single values, each beside what the chart says itself. Those that are changed come first. */
export function HelmParameters({ helm, defaults, onChange }: HelmParametersProps): ReactElement {
  const [search, setSearch] = useState('');
  const changed = helm.parameters ?? [];
  const set = (name: string, value: string | undefined, forceString = false): void => {
    const others = changed.filter((parameter) => parameter.name !== name);
    const next = value === undefined ? others : [...others, { name, value, ...(forceString && { forceString }) }];
    const order = changed.findIndex((parameter) => parameter.name === name);
    // One that was there stays in its place.
    if (value !== undefined && order >= 0) next.splice(order, 0, ...next.splice(-1));
    onChange(setField(helm, 'parameters', next));
  };
  const add = (): void => {
    set(search.trim(), '');
    setSearch('');
  };
  const { rows, left, isUnknown } = listParameters(changed, defaults, search.trim());
  return (
    <fieldset className="rows-field">
      <legend>Parameters</legend>
      <p className="faint field-hint">Single values; they win over the values above. An empty field leaves it to the chart.</p>
      <div className="row">
        <input
          className="input"
          type="search"
          aria-label="Find a parameter"
          placeholder="Find a parameter, or name another one"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Whoever looks for something does not send the form.
            event.preventDefault();
            if (isUnknown) add();
          }}
        />
        {isUnknown && (
          <Button icon="plus" onClick={add}>
            Add
          </Button>
        )}
      </div>
      {rows.map(({ name, own, standard }) => (
        <div key={name} className="parameter-row">
          <span className="mono parameter-name">
            <bdi>{name}</bdi> {own !== undefined && <Badge tone="busy">changed</Badge>}
          </span>
          <input
            className="input"
            aria-label={`Value of ${name}`}
            autoComplete="off"
            spellCheck={false}
            placeholder={standard}
            value={own?.value ?? ''}
            onChange={({ target }) =>
              set(name, target.value === '' && standard !== undefined ? undefined : target.value, own?.forceString === true)
            }
          />
          <label className="row rows-field-flag">
            <input
              type="checkbox"
              className="check"
              aria-label={`${name} is text`}
              checked={own?.forceString === true}
              onChange={({ target }) => set(name, own?.value ?? standard ?? '', target.checked)}
            />
            <span className="faint">text</span>
          </label>
          <Button
            look="quiet"
            icon="rollback"
            label={`Leave ${name} to the chart`}
            disabledReason={own === undefined ? 'It is as the chart says' : undefined}
            onClick={() => set(name, undefined)}
          />
        </div>
      ))}
      {left > 0 && <p className="faint">and {left} more: look for them by name</p>}
    </fieldset>
  );
}

interface ParameterRow {
  readonly name: string;
  readonly own: HelmParameter | undefined;
  /** What the chart says; undefined where it says nothing of it. */
  readonly standard: string | undefined;
}

function listParameters(
  changed: readonly HelmParameter[],
  defaults: readonly HelmParameter[],
  search: string,
): { readonly rows: readonly ParameterRow[]; readonly left: number; readonly isUnknown: boolean } {
  const standards = new Map(defaults.map(({ name = '', value = '' }) => [name, value]));
  const owns = new Map(changed.map((parameter) => [parameter.name ?? '', parameter]));
  const names = [...owns.keys(), ...[...standards.keys()].filter((name) => !owns.has(name))];
  const found = names.filter((name) => name.toLowerCase().includes(search.toLowerCase()));
  const count = Math.max(SHOWN_MAX, owns.size);
  return {
    rows: found.slice(0, count).map((name) => ({ name, own: owns.get(name), standard: standards.get(name) })),
    left: Math.max(0, found.length - count),
    isUnknown: search !== '' && !names.includes(search),
  };
}
