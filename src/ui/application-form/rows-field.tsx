import './application-form.css';
import { useId, useState, type ReactElement, type ReactNode } from 'react';
import { Button } from '../design/index.ts';

/** What a cell holds: text, or yes and no. */
type Cell = string | boolean;
type Row = Readonly<Record<string, Cell>>;

interface RowColumn<Key extends string> {
  readonly id: Key;
  readonly title: string;
  readonly placeholder?: string;
  readonly isFlag?: boolean;
}

interface RowsFieldProps<Key extends string> {
  readonly title: string;
  readonly hint?: ReactNode;
  /** What it begins with; from then on it knows its rows itself, also those that are only half written. */
  readonly rows: readonly Record<Key, Cell>[];
  readonly columns: readonly RowColumn<Key>[];
  readonly onChange: (rows: Record<Key, Cell>[]) => void;
  /** As in `Add an environment variable`. */
  readonly addTitle: string;
  /** For the first column. */
  readonly suggestions?: readonly string[] | undefined;
}

/** A list of things with a few fields each, to which some are added and from which some are taken. */
export function RowsField<Key extends string>(props: RowsFieldProps<Key>): ReactElement {
  const { title, hint, columns, onChange, addTitle, suggestions } = props;
  const [rows, setRows] = useState<readonly Row[]>(props.rows);
  const listId = useId();
  const change = (next: readonly Row[]): void => {
    setRows(next);
    onChange(next as Record<Key, Cell>[]);
  };
  const blank = (): Row => Object.fromEntries(columns.map(({ id, isFlag }) => [id, isFlag === true ? false : '']));
  return (
    <fieldset className="rows-field">
      <legend>{title}</legend>
      {hint !== undefined && <p className="faint field-hint">{hint}</p>}
      {rows.map((row, index) => (
        // Rows have no names of their own, and keep their places.
        <div key={index} className="row rows-field-row">
          {columns.map((column, at) => (
            <CellInput
              key={column.id}
              column={column}
              label={`${title}: ${column.title} ${index + 1}`}
              value={row[column.id] ?? ''}
              list={at === 0 && suggestions !== undefined ? listId : undefined}
              onChange={(value) => change(rows.map((other, place) => (place === index ? { ...other, [column.id]: value } : other)))}
            />
          ))}
          <Button
            look="quiet"
            icon="trash"
            label={`${title}: take away ${index + 1}`}
            onClick={() => change(rows.filter((_, place) => place !== index))}
          />
        </div>
      ))}
      {suggestions !== undefined && (
        <datalist id={listId}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      <Button look="quiet" icon="plus" onClick={() => change([...rows, blank()])}>
        {addTitle}
      </Button>
    </fieldset>
  );
}

interface CellInputProps {
  readonly column: RowColumn<string>;
  readonly label: string;
  readonly value: Cell;
  readonly list: string | undefined;
  readonly onChange: (value: Cell) => void;
}

function CellInput({ column, label, value, list, onChange }: CellInputProps): ReactElement {
  if (column.isFlag === true)
    return (
      <label className="row rows-field-flag">
        <input
          type="checkbox"
          className="check"
          checked={value === true}
          aria-label={label}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span className="faint">{column.title}</span>
      </label>
    );
  return (
    <input
      className="input"
      aria-label={label}
      autoComplete="off"
      spellCheck={false}
      placeholder={column.placeholder ?? column.title}
      value={String(value)}
      list={list}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

interface ListFieldProps {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly values: readonly string[];
  readonly placeholder?: string;
  readonly suggestions?: readonly string[] | undefined;
  readonly addTitle: string;
  readonly onChange: (values: string[]) => void;
}

/** A list of texts. */
export function ListField({ title, hint, values, placeholder, suggestions, addTitle, onChange }: ListFieldProps): ReactElement {
  return (
    <RowsField
      {...{ title, hint, addTitle, suggestions }}
      rows={values.map((value) => ({ value }))}
      columns={[{ id: 'value', title: 'entry', ...(placeholder !== undefined && { placeholder }) }]}
      onChange={(rows) => onChange(rows.map(({ value }) => String(value).trim()).filter((value) => value !== ''))}
    />
  );
}

interface MapFieldProps {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly values: Readonly<Record<string, string>>;
  readonly addTitle: string;
  readonly onChange: (values: Record<string, string>) => void;
}

/** Names with a text each, such as labels. */
export function MapField({ title, hint, values, addTitle, onChange }: MapFieldProps): ReactElement {
  return (
    <RowsField
      {...{ title, hint, addTitle }}
      rows={Object.entries(values).map(([name, value]) => ({ name, value }))}
      columns={[
        { id: 'name', title: 'name' },
        { id: 'value', title: 'value' },
      ]}
      onChange={(rows) =>
        onChange(
          Object.fromEntries(rows.filter(({ name }) => name !== '').map(({ name, value }) => [String(name), String(value)] as const)),
        )
      }
    />
  );
}
