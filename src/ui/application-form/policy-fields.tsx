import type { ReactElement } from 'react';
import type { SyncPolicy, SyncPolicyAutomated } from '../../contract/gen/types.ts';
import { Check, Choices, TextField } from '../design/index.ts';
import { ListField } from './rows-field.tsx';
import { setField, setPart } from './set-field.ts';

interface PolicyFieldsProps {
  readonly policy: SyncPolicy;
  readonly onChange: (policy: SyncPolicy) => void;
}

const WAYS = [
  { id: 'manual', title: 'When somebody asks', detail: 'Differences are shown, and wait for a sync.' },
  { id: 'automatic', title: 'By itself', detail: 'What changes in the source is synced without being asked.' },
] as const;
const AUTOMATION = [
  { id: 'prune', title: 'Prune', detail: 'Delete what the source no longer has.' },
  { id: 'selfHeal', title: 'Heal', detail: 'Undo what somebody changes in the cluster.' },
  { id: 'allowEmpty', title: 'Allow empty', detail: 'Delete everything where the source has nothing left.' },
] as const;
const OPTIONS = [
  { id: 'CreateNamespace=true', title: 'Create the namespace' },
  { id: 'ServerSideApply=true', title: 'Server-side apply' },
  { id: 'ApplyOutOfSyncOnly=true', title: 'Only what is out of sync' },
  { id: 'PruneLast=true', title: 'Prune last' },
  { id: 'RespectIgnoreDifferences=true', title: 'Leave ignored fields as they are' },
  { id: 'FailOnSharedResource=true', title: 'Fail on resources of other applications' },
  { id: 'Replace=true', title: 'Replace instead of apply' },
  { id: 'Validate=false', title: 'Skip validation' },
] as const;
const KNOWN: ReadonlySet<string> = new Set(OPTIONS.map(({ id }) => id));

/** When and how the application is synced. */
export function PolicyFields({ policy, onChange }: PolicyFieldsProps): ReactElement {
  const { automated, syncOptions = [], retry } = policy;
  const isAutomatic = automated !== undefined && automated.enabled !== false;
  const setAutomated = (next: SyncPolicyAutomated | undefined): void => onChange(setField(policy, 'automated', next));
  const setLimit = (text: string): void => {
    const limit = /^-?\d{1,4}$/.test(text) ? Number(text) : 0;
    onChange(setPart(policy, 'retry', limit === 0 ? undefined : { ...retry, limit }));
  };
  return (
    <div className="stack">
      <Choices
        label="When it is synced"
        choices={WAYS}
        value={isAutomatic ? 'automatic' : 'manual'}
        onChange={(way) => setAutomated(way === 'automatic' ? withoutEnabled(automated) : undefined)}
      />
      {isAutomatic && (
        <div className="form-checks">
          {AUTOMATION.map(({ id, title, detail }) => (
            <Check
              key={id}
              {...{ title, detail }}
              isOn={automated[id] === true}
              onChange={(isOn) => setAutomated(setField(automated, id, isOn))}
            />
          ))}
        </div>
      )}
      <fieldset className="rows-field">
        <legend>Options</legend>
        <div className="form-checks">
          {OPTIONS.map(({ id, title }) => (
            <Check
              key={id}
              title={title}
              isOn={syncOptions.includes(id)}
              onChange={(isOn) =>
                onChange(setField(policy, 'syncOptions', isOn ? [...syncOptions, id] : syncOptions.filter((option) => option !== id)))
              }
            />
          ))}
        </div>
      </fieldset>
      <ListField
        title="Other options"
        values={syncOptions.filter((option) => !KNOWN.has(option))}
        placeholder="PrunePropagationPolicy=background"
        addTitle="Add an option"
        onChange={(values) => onChange(setField(policy, 'syncOptions', [...syncOptions.filter((option) => KNOWN.has(option)), ...values]))}
      />
      <TextField
        title="Retries"
        type="number"
        value={retry?.limit === undefined ? '' : String(retry.limit)}
        placeholder="0"
        hint="How often a failed sync is tried again; -1 is without limit"
        onChange={setLimit}
      />
    </div>
  );
}

function withoutEnabled(automated: SyncPolicyAutomated | undefined): SyncPolicyAutomated {
  const { enabled: _enabled, ...rest } = automated ?? {};
  return rest;
}
