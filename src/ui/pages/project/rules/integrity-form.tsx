import type { ReactElement } from 'react';
import type { SourceIntegrity, SourceIntegrityGitPolicy } from '../../../../contract/gen/types.ts';
import { Button, SelectField } from '../../../design/index.ts';
import { Lines } from './rows.tsx';

const MODES = [
  { id: 'none', title: 'Nothing' },
  { id: 'head', title: 'The revision is signed' },
  { id: 'strict', title: 'The revision and its history are signed' },
] as const;

interface IntegrityFormProps {
  readonly value: SourceIntegrity | undefined;
  readonly onChange: (value: SourceIntegrity | undefined) => void;
}

/** Which repositories must be signed, how, and by whom. */
export function IntegrityForm({ value, onChange }: IntegrityFormProps): ReactElement {
  const policies = value?.git?.policies ?? [];
  const set = (next: SourceIntegrityGitPolicy[]): void =>
    onChange(next.length === 0 ? undefined : { ...value, git: { ...value?.git, policies: next } });
  return (
    <fieldset className="project-rows">
      <legend>Rules for signed repositories</legend>
      {policies.map((policy, index) => (
        // The place is all that tells rules apart while they are being written; when one goes, the others are drawn anew.
        <PolicyForm
          key={`${index} of ${policies.length}`}
          place={index + 1}
          policy={policy}
          onChange={(next) => set(policies.map((each, at) => (at === index ? next : each)))}
          onRemove={() => set(policies.filter((_each, at) => at !== index))}
        />
      ))}
      <div>
        <Button icon="plus" onClick={() => set([...policies, { repos: [], gpg: { mode: 'head', keys: [] } }])}>
          Add a rule for signatures
        </Button>
      </div>
    </fieldset>
  );
}

interface PolicyFormProps {
  readonly place: number;
  readonly policy: SourceIntegrityGitPolicy;
  readonly onChange: (policy: SourceIntegrityGitPolicy) => void;
  readonly onRemove: () => void;
}

function PolicyForm({ place, policy, onChange, onRemove }: PolicyFormProps): ReactElement {
  const { repos, gpg } = policy;
  const mode = MODES.find(({ id }) => id === gpg?.mode)?.id ?? 'none';
  return (
    <div className="card project-policy">
      <Lines
        title={`Repositories of rule ${place}`}
        hint="Patterns of URLs, one on each line; an exclamation mark in front excludes."
        values={repos?.map(({ url }) => url)}
        onChange={(urls) => onChange({ ...policy, repos: urls.map((url) => repos?.find((repo) => repo.url === url) ?? { url }) })}
      />
      <SelectField
        title={`What rule ${place} demands`}
        options={MODES}
        value={mode}
        onChange={(next) => onChange({ ...policy, gpg: { ...gpg, mode: next, keys: gpg?.keys ?? [] } })}
      />
      <Lines
        title={`Keys of rule ${place}`}
        hint="Ids of GnuPG keys that are accepted, one on each line."
        values={gpg?.keys}
        onChange={(keys) => onChange({ ...policy, gpg: { ...gpg, mode: gpg?.mode ?? 'none', keys } })}
      />
      <div>
        <Button look="quiet" icon="trash" onClick={onRemove}>
          Remove rule {place}
        </Button>
      </div>
    </div>
  );
}
