import { useState, type ReactElement } from 'react';
import type { AppProject, AppProjectSpec } from '../../../contract/gen/types.ts';
import { api, queryClient, useCan } from '../../api/index.ts';
import { useGo } from '../../app/index.ts';
import { FormDialog, SelectField, TextField, useDeed } from '../../design/index.ts';
import { projectPath } from './project-row.ts';

const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** A new project: empty, or with the rules of another one. */
export function CreateDialog({
  projects,
  onClose,
}: {
  readonly projects: readonly AppProject[];
  readonly onClose: () => void;
}): ReactElement {
  const go = useGo();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [model, setModel] = useState('');
  const permission = useCan('projects', 'create', name === '' ? '*' : name);
  const deed = useDeed(() => go(projectPath(name)));
  const error = findFault(name, projects);
  const create = (): void =>
    deed.run(`${name} was created`, async () => {
      const spec = rulesOf(projects.find(({ metadata }) => metadata.name === model));
      await api.ProjectService.Create({ project: { metadata: { name }, spec: { ...spec, ...(description !== '' && { description }) } } });
      await queryClient.invalidateQueries({ queryKey: ['projects'] });
    });
  return (
    <FormDialog
      title="New project"
      {...{ onClose, deed }}
      permission={name === '' ? undefined : permission}
      action="Create"
      icon="plus"
      disabledReason={name === '' ? 'Give it a name first' : error}
      onSubmit={create}
    >
      <TextField title="Name" value={name} isRequired placeholder="team-blue" error={name === '' ? undefined : error} onChange={setName} />
      <TextField title="Description" value={description} onChange={setDescription} />
      <SelectField
        title="Rules"
        hint={
          model === '' ? 'It allows nothing until you say what.' : 'Roles and their tokens are not taken over: they belong to one project.'
        }
        value={model}
        options={[
          { id: '', title: 'None yet' },
          ...projects.map(({ metadata }) => ({ id: metadata.name ?? '', title: `As in ${metadata.name ?? ''}` })),
        ]}
        onChange={setModel}
      />
    </FormDialog>
  );
}

function rulesOf(project: AppProject | undefined): AppProjectSpec {
  const { roles: _roles, description: _description, ...rules } = project?.spec ?? {};
  return rules;
}

function findFault(name: string, projects: readonly AppProject[]): string | undefined {
  if (projects.some(({ metadata }) => metadata.name === name)) return `There is a project ${name} already`;
  if (name.length > 253) return 'A name has at most 253 characters';
  return name === '' || NAME.test(name) ? undefined : 'Small letters, digits and hyphens, with a letter or digit at both ends';
}
