import { useState, type ReactElement, type ReactNode } from 'react';
import { Button, TextAreaField } from '../../../design/index.ts';

interface RowColumn {
  readonly key: string;
  readonly title: string;
  readonly placeholder?: string;
  readonly suggestions?: readonly string[] | undefined;
  /** Taken away where it is empty; others stay as an empty text. */
  readonly isOptional?: boolean;
}

interface RowsProps<Row extends object> {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly columns: readonly RowColumn[];
  readonly rows: readonly Row[] | undefined;
  /** What a new row is before somebody writes into it. */
  readonly blank: Row;
  readonly onChange: (rows: Row[]) => void;
}

/** Things with a few texts each, a row for each. What else a row holds stays as it is. */
export function Rows<Row extends object>({ title, hint, columns, rows = [], blank, onChange }: RowsProps<Row>): ReactElement {
  const write = (index: number, { key, isOptional = false }: RowColumn, value: string): void =>
    onChange(rows.map((row, at) => (at === index ? writeText(row, key, value === '' && isOptional ? undefined : value) : row)));
  return (
    <fieldset className="project-rows">
      <legend>{title}</legend>
      {hint !== undefined && <p className="faint project-note">{hint}</p>}
      {rows.map((row, index) => (
        // The place is all that tells rows apart while they are being written.
        <div key={index} className="project-row">
          {columns.map((column) => (
            <label key={column.key} className="project-cell">
              <span className={index === 0 ? 'faint' : 'visually-hidden'}>
                {column.title}
                <span className="visually-hidden">
                  {' '}
                  of {title.toLowerCase()} {index + 1}
                </span>
              </span>
              <input
                className="input"
                autoComplete="off"
                spellCheck={false}
                placeholder={column.placeholder}
                value={readText(row, column.key)}
                list={column.suggestions && `${column.key}-of-${title}`}
                onChange={({ target }) => write(index, column, target.value)}
              />
            </label>
          ))}
          <Button
            look="quiet"
            icon="trash"
            label={`Remove ${title.toLowerCase()} ${index + 1}`}
            onClick={() => onChange(rows.filter((_row, at) => at !== index))}
          />
        </div>
      ))}
      {columns.map(
        ({ key, suggestions }) =>
          suggestions && (
            <datalist key={key} id={`${key}-of-${title}`}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          ),
      )}
      <div>
        <Button icon="plus" label={`Add to ${title.toLowerCase()}`} hasTip={false} onClick={() => onChange([...rows, blank])}>
          Add
        </Button>
      </div>
    </fieldset>
  );
}

interface LinesProps {
  readonly title: ReactNode;
  readonly hint?: ReactNode;
  readonly values: readonly string[] | undefined;
  readonly onChange: (values: string[]) => void;
  readonly placeholder?: string;
  readonly error?: string | undefined;
}

/** Texts, one on each line. Empty lines are not meant. */
export function Lines({ title, hint, values = [], onChange, placeholder, error }: LinesProps): ReactElement {
  const [text, setText] = useState(values.join('\n'));
  return (
    <TextAreaField
      {...{ title, hint, placeholder, error }}
      isCode
      rows={Math.min(12, Math.max(2, text.split('\n').length))}
      value={text}
      onChange={(next) => {
        setText(next);
        onChange(
          next
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== ''),
        );
      }}
    />
  );
}

function readText(row: object, key: string): string {
  const value: unknown = Object.hasOwn(row, key) ? row[key as keyof typeof row] : undefined;
  return typeof value === 'string' ? value : '';
}

function writeText<Row extends object>(row: Row, key: string, value: string | undefined): Row {
  if (value !== undefined) return { ...row, [key]: value };
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== key)) as Row;
}
