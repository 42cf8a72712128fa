import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { api, describeError, queryClient, useCan } from '../../api/index.ts';
import { Button, ConnectionTrouble, FormDialog, Notice, Segments, SelectField, TextField, useDeed, UserText } from '../../design/index.ts';
import { fieldsOfWay, listMore, listWays, typeTitles, type RepositoryType } from './describe-fields.ts';
import {
  findGap,
  guessWay,
  isComplete,
  isSshAddress,
  listChanges,
  toAccessQuery,
  toRepository,
  toTemplate,
  withType,
  type Entry,
} from './entry.ts';
import { objectOf, type Family } from './families.ts';
import { FormFields } from './form-fields.tsx';

const TYPES = (['git', 'helm', 'oci'] as const).map((id) => ({ id, title: typeTitles[id] }));
const PLACEHOLDERS: Readonly<Record<RepositoryType, string>> = {
  git: 'https://git.example/team/repository or git@git.example:team/repository',
  helm: 'https://charts.example/stable',
  oci: 'oci://registry.example/team/manifests',
};

interface RepositoryFormProps {
  readonly family: Family;
  readonly start: Entry;
  /** Whether it is there already, and is changed. */
  readonly isStored: boolean;
  readonly onClose: () => void;
}

/** Adds or changes a repository or a credential template. What is secret is only ever written. */
export function RepositoryForm({ family, start, isStored, onClose }: RepositoryFormProps): ReactElement {
  const [entry, setEntry] = useState(start);
  const trial = useTrial(family);
  const deed = useDeed(() => {
    void queryClient.invalidateQueries({ queryKey: ['repositories'] });
    onClose();
  });
  const { isTemplate } = entry;
  const change = (changes: Partial<Entry>): void => {
    setEntry((before) => ({ ...before, ...changes }));
    trial.forget();
  };
  const changes = isStored ? listChanges(start, entry) : [];
  const gap = findGap(entry) ?? (isStored && changes.length === 0 ? 'Nothing is changed yet' : undefined);
  const permission = useSavePermission(family, isStored ? start : entry, isStored);
  const what = isTemplate ? 'credential template' : 'repository';
  return (
    <FormDialog
      title={
        isStored ? (
          <>
            Change <UserText>{start.name || start.url}</UserText>
          </>
        ) : (
          `Add a ${what}`
        )
      }
      action={isStored ? 'Save' : 'Add'}
      {...{ onClose, permission }}
      deed={{ ...deed, failure: undefined }}
      disabledReason={gap}
      onSubmit={() =>
        deed.run(`${entry.url} is ${isStored ? 'changed' : 'added'}`, () => save(family, entry, isStored ? changes : undefined))
      }
      more={!isTemplate && <TestButton {...{ entry, trial, permission, isStored }} />}
    >
      <Basics {...{ entry, isStored }} onChange={change} />
      <SignIn {...{ entry, isStored }} onChange={change} />
      <details className="repositories-more">
        <summary>More settings</summary>
        <div className="stack">
          <FormFields
            fields={listMore(entry.type, isTemplate)}
            values={entry.values}
            {...{ isStored, isTemplate }}
            onChange={(field, value) => change({ values: { ...entry.values, [field]: value } })}
          />
        </div>
      </details>
      {trial.result === 'reached' && <Notice tone="good" icon="check">{`${entry.url} can be reached with this.`}</Notice>}
      {trial.failure !== undefined && <ConnectionTrouble message={trial.failure} />}
      {deed.failure !== undefined && <ConnectionTrouble message={deed.failure} />}
    </FormDialog>
  );
}

function save(family: Family, entry: Entry, changes: string[] | undefined): Promise<unknown> {
  if (entry.isTemplate) return changes ? family.updateTemplate(toTemplate(entry), changes) : family.createTemplate(toTemplate(entry));
  return changes ? family.update(toRepository(entry), changes) : family.create(toRepository(entry));
}

interface PartProps {
  readonly entry: Entry;
  readonly isStored: boolean;
  readonly onChange: (changes: Partial<Entry>) => void;
}

function Basics({ entry, isStored, onChange }: PartProps): ReactElement {
  const { data } = useQuery({
    queryKey: ['projects', 'names'],
    queryFn: ({ signal }) => api.ProjectService.List({}, { signal, fields: 'items.metadata.name' }),
    staleTime: 30_000,
  });
  const projects = (data?.items ?? []).flatMap(({ metadata }) => metadata?.name ?? []);
  const { isTemplate, type, url, name, project } = entry;
  return (
    <>
      {!isStored && <Segments label="Type" segments={TYPES} value={type} onChange={(id) => onChange(withType(entry, id))} />}
      <TextField
        title={isTemplate ? 'Addresses that begin with' : 'Address'}
        value={url}
        isReadOnly={isStored}
        placeholder={isTemplate ? 'https://git.example/team' : PLACEHOLDERS[type]}
        hint={isTemplate ? 'Repositories below this address have these credentials, unless they have some of their own.' : hintFor(entry)}
        onChange={(value) =>
          onChange({ url: value, ...(isSshAddress(value) !== isSshAddress(url) && entry.way !== 'kept' && { way: guessWay(value) }) })
        }
      />
      {!isTemplate && (
        <>
          <TextField
            title={type === 'helm' ? 'Name' : 'Name (optional)'}
            value={name}
            hint={type === 'helm' ? 'Charts refer to the repository by it.' : undefined}
            onChange={(value) => onChange({ name: value })}
          />
          <TextField
            title="Project (optional)"
            value={project}
            isReadOnly={isStored}
            suggestions={projects}
            hint="Only applications of this project may use it then. Left empty, all that may use this address."
            onChange={(value) => onChange({ project: value.trim() })}
          />
        </>
      )}
    </>
  );
}

function hintFor({ type, values }: Entry): string | undefined {
  return type === 'helm' && values['enableOCI'] === true ? 'Of a registry without a scheme, as in registry.example/charts' : undefined;
}

function SignIn({ entry, isStored, onChange }: PartProps): ReactElement {
  const options = listWays(entry.type);
  return (
    <>
      <SelectField
        title="Sign in with"
        value={entry.way}
        options={isStored ? [{ id: 'kept', title: 'What is stored' }, ...options] : options}
        hint={isStored && entry.way !== 'kept' ? 'Credentials of other kinds that are stored are cleared.' : undefined}
        onChange={(way) => onChange({ way })}
      />
      <FormFields
        fields={fieldsOfWay(entry.way)}
        values={entry.values}
        isStored={isStored}
        isTemplate={entry.isTemplate}
        onChange={(field, value) => onChange({ values: { ...entry.values, [field]: value } })}
      />
    </>
  );
}

/** A policy may allow some addresses only: for a new one that belongs to no project, the server decides when it knows the address. */
function useSavePermission(family: Family, { url, project }: Entry, isStored: boolean): ReturnType<typeof useCan> | undefined {
  const object = objectOf({ repo: isStored ? url : url.trim() || '*', project });
  const permission = useCan(family.resource, isStored ? 'update' : 'create', object);
  return isStored || project !== '' ? permission : undefined;
}

interface Trial {
  readonly result: 'none' | 'asking' | 'reached';
  readonly failure: string | undefined;
  readonly forget: () => void;
  readonly run: (entry: Entry) => void;
}

function useTrial(family: Family): Trial {
  const [result, setResult] = useState<Trial['result']>('none');
  const [failure, setFailure] = useState<string>();
  const forget = (): void => {
    setResult('none');
    setFailure(undefined);
  };
  const run = (entry: Entry): void => {
    setResult('asking');
    setFailure(undefined);
    family
      .test(toAccessQuery(entry))
      .then(() => setResult('reached'))
      .catch((error: unknown) => {
        setResult('none');
        setFailure(describeError(error));
      });
  };
  return { result, failure, forget, run };
}

interface TestButtonProps {
  readonly entry: Entry;
  readonly trial: Trial;
  readonly isStored: boolean;
  readonly permission: ReturnType<typeof useCan> | undefined;
}

function TestButton({ entry, trial, permission, isStored }: TestButtonProps): ReactElement {
  const isMissing = isStored && !isComplete(entry);
  const reason = isMissing ? 'Some credentials are only stored: save, and the list shows whether it can be reached' : undefined;
  return (
    <Button
      icon="pulse"
      isBusy={trial.result === 'asking'}
      permission={permission}
      disabledReason={findGap(entry) ?? reason}
      onClick={() => trial.run(entry)}
    >
      Test
    </Button>
  );
}
