import { useState, type ReactElement } from 'react';
import type { ProjectRole } from '../../../../contract/gen/types.ts';
import { FormDialog, Segments, TextAreaField, TextField } from '../../../design/index.ts';
import { withField } from '../project-form.ts';
import { NO_DEED, usePropose } from '../review.tsx';
import { Lines } from '../rules/rows.tsx';
import { useShown } from '../use-project.ts';
import { findNameFault, findPolicyFault, findTextFaults, formatPolicy, readRows, type PolicyRow } from './policy-line.ts';
import { PolicyRows } from './policy-rows.tsx';

type Mode = 'rows' | 'text';

const MODES = [
  { id: 'rows', title: 'Rows' },
  { id: 'text', title: 'Text' },
] as const;

/** A new role, or another version of one. */
export function RoleDialog({ role, onClose }: { readonly role: ProjectRole | undefined; readonly onClose: () => void }): ReactElement {
  const shown = useShown();
  const [base] = useState(shown);
  const propose = usePropose();
  const [name, setName] = useState(role?.name ?? '');
  const [description, setDescription] = useState(role?.description ?? '');
  const [groups, setGroups] = useState<readonly string[]>(role?.groups ?? []);
  const policies = usePolicies(role, { project: base.metadata.name ?? '', role: name });
  const roles = base.spec.roles ?? [];
  const others = roles.map((each) => each.name).filter((each) => each !== role?.name);
  const nameFault = findNameFault(name, others);
  const review = (): void => {
    const { description: _description, policies: _policies, groups: _groups, ...kept } = role ?? { name };
    const next: ProjectRole = {
      ...kept,
      ...(description !== '' && { description }),
      ...(policies.lines.length > 0 && { policies: [...policies.lines] }),
      ...(groups.length > 0 && { groups: [...groups] }),
    };
    const all = role === undefined ? [...roles, next] : roles.map((each) => (each.name === role.name ? next : each));
    onClose();
    propose({ title: role === undefined ? `New role ${name}` : `Change the role ${name}`, base, next: withField(base, 'roles', all) });
  };
  return (
    <FormDialog
      title={role === undefined ? 'New role' : `Role ${role.name}`}
      {...{ onClose }}
      deed={NO_DEED}
      isWide
      action="Review"
      disabledReason={name === '' ? 'Give it a name first' : (nameFault ?? policies.fault)}
      onSubmit={review}
    >
      <TextField
        title="Name"
        value={name}
        isRequired
        isReadOnly={role !== undefined}
        error={name === '' ? undefined : nameFault}
        placeholder="ci"
        hint={role === undefined ? undefined : 'A role keeps its name: tokens are issued for it.'}
        onChange={setName}
      />
      <TextField title="Description" value={description} onChange={setDescription} />
      <div className="row">
        <h3 className="grow">Policies</h3>
        <Segments label="How to edit policies" segments={MODES} value={policies.mode} onChange={policies.change} />
      </div>
      {policies.mode === 'rows' ? (
        <PolicyRows project={base.metadata.name ?? ''} rows={policies.rows} onChange={policies.setRows} />
      ) : (
        <TextAreaField
          title="Policies as text, a line each"
          isCode
          rows={6}
          value={policies.text}
          error={policies.fault}
          placeholder={`p, proj:${base.metadata.name ?? ''}:${name || 'role'}, applications, sync, ${base.metadata.name ?? ''}/*, allow`}
          onChange={policies.setText}
        />
      )}
      <Lines
        title="Groups"
        hint="Groups of the identity provider whose members have this role, one on each line; one with a comma in double quotes."
        values={groups}
        onChange={setGroups}
      />
    </FormDialog>
  );
}

interface Policies {
  readonly mode: Mode;
  readonly change: (mode: Mode) => void;
  readonly rows: readonly PolicyRow[];
  readonly setRows: (rows: readonly PolicyRow[]) => void;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly lines: readonly string[];
  readonly fault: string | undefined;
}

/** The lines of a role, as rows or as text. What cannot be shown as rows stays text until it is mended. */
function usePolicies(role: ProjectRole | undefined, name: { readonly project: string; readonly role: string }): Policies {
  const given = role?.policies ?? [];
  const [rows, setRows] = useState(() => readRows(given, name));
  const [text, setText] = useState(() => given.join('\n'));
  const [mode, setMode] = useState<Mode>(rows === undefined ? 'text' : 'rows');
  const format = (each: readonly PolicyRow[]): readonly string[] => each.map((row) => formatPolicy(row, name));
  const written = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const lines = mode === 'rows' ? format(rows ?? []) : written;
  const faults = mode === 'rows' ? (rows ?? []).flatMap((row) => findPolicyFault(row, name.project) ?? []) : findTextFaults(text, name);
  const repeated = lines.find((line, index) => lines.indexOf(line) !== index);
  const change = (next: Mode): void => {
    if (next === mode) return;
    if (next === 'text') setText(lines.join('\n'));
    else {
      const read = readRows(written, name);
      // The faults are shown below the text; it stays as it is until they are gone.
      if (read === undefined) return;
      setRows(read);
    }
    setMode(next);
  };
  const fault = faults[0] ?? (repeated === undefined ? undefined : `This line is there twice: ${repeated}`);
  return { mode, change, rows: rows ?? [], setRows, text, setText, lines, fault };
}
