import type { ReactElement } from 'react';
import { Button } from '../../../design/index.ts';
import { ACTIONS, findPolicyFault, RESOURCES, type PolicyRow } from './policy-line.ts';

interface PolicyRowsProps {
  readonly project: string;
  readonly rows: readonly PolicyRow[];
  readonly onChange: (rows: readonly PolicyRow[]) => void;
}

/** What a role may and may not do, a row for each line of its policy. */
export function PolicyRows({ project, rows, onChange }: PolicyRowsProps): ReactElement {
  const write = (index: number, change: Partial<PolicyRow>): void =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  return (
    <div className="project-rows">
      {rows.map((row, index) => (
        // The place is all that tells rows apart while they are being written.
        <div key={index}>
          <div className="project-row">
            <Cell title="Effect" place={index}>
              {(label) => (
                <select
                  className="input"
                  aria-label={label}
                  value={row.effect}
                  onChange={({ target }) => write(index, { effect: target.value === 'deny' ? 'deny' : 'allow' })}
                >
                  <option value="allow">allow</option>
                  <option value="deny">deny</option>
                </select>
              )}
            </Cell>
            <Cell title="Action" place={index}>
              {(label) => (
                <input
                  className="input"
                  aria-label={label}
                  list="policy-actions"
                  autoComplete="off"
                  spellCheck={false}
                  value={row.action}
                  onChange={({ target }) => write(index, { action: target.value.trim() })}
                />
              )}
            </Cell>
            <Cell title="Resource" place={index}>
              {(label) => (
                <select
                  className="input"
                  aria-label={label}
                  value={row.resource}
                  onChange={({ target }) => write(index, { resource: target.value })}
                >
                  {RESOURCES.map((resource) => (
                    <option key={resource} value={resource}>
                      {resource}
                    </option>
                  ))}
                </select>
              )}
            </Cell>
            <Cell title="Object" place={index}>
              {(label) => (
                <input
                  className="input"
                  aria-label={label}
                  autoComplete="off"
                  spellCheck={false}
                  value={row.object}
                  onChange={({ target }) => write(index, { object: target.value.trim() })}
                />
              )}
            </Cell>
            <Button
              look="quiet"
              icon="trash"
              label={`Remove policy ${index + 1}`}
              onClick={() => onChange(rows.filter((_row, at) => at !== index))}
            />
          </div>
          <div className="field-error">{findPolicyFault(row, project)}</div>
        </div>
      ))}
      <datalist id="policy-actions">
        {ACTIONS.map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
      <div>
        <Button
          icon="plus"
          onClick={() => onChange([...rows, { resource: 'applications', action: 'get', object: `${project}/*`, effect: 'allow' }])}
        >
          Add a policy
        </Button>
      </div>
    </div>
  );
}

interface CellProps {
  readonly title: string;
  readonly place: number;
  readonly children: (label: string) => ReactElement;
}

function Cell({ title, place, children }: CellProps): ReactElement {
  return (
    <div className="project-cell">
      <span className={place === 0 ? 'faint' : 'visually-hidden'} aria-hidden="true">
        {title}
      </span>
      {children(`${title} of policy ${place + 1}`)}
    </div>
  );
}
