import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import type { AppProject, AppProjectSpec } from '../../../../contract/gen/types.ts';
import { api } from '../../../api/index.ts';
import { Check, TextField } from '../../../design/index.ts';
import { FIELD_TITLES, withField, withMetadata } from '../project-form.ts';
import { IntegrityForm } from './integrity-form.tsx';
import { Card } from './card.tsx';
import { Lines, Rows } from './rows.tsx';

const KIND_COLUMNS = [
  { key: 'group', title: 'Group', placeholder: 'empty: core; * is any' },
  { key: 'kind', title: 'Kind', placeholder: '*' },
] as const;
const NAMED_KIND_COLUMNS = [...KIND_COLUMNS, { key: 'name', title: 'Name', placeholder: 'any', isOptional: true }] as const;
const BLANK_KIND = { group: '', kind: '' };

interface FormProps {
  readonly draft: AppProject;
  readonly onChange: (draft: AppProject) => void;
}

/** Every rule of the project but its roles and windows, which have views of their own. */
export function RulesForm({ draft, onChange }: FormProps): ReactElement {
  const { spec } = draft;
  const set = <Field extends keyof AppProjectSpec>(field: Field, value: AppProjectSpec[Field] | undefined): void =>
    onChange(withField(draft, field, value));
  return (
    <div className="project-cards project-form">
      <AboutForm {...{ draft, onChange }} />
      <Card title="Sources">
        <Lines
          title={FIELD_TITLES.sourceRepos}
          hint="One on each line. A star stands for anything, an exclamation mark in front denies."
          placeholder="https://git.example/team/*"
          values={spec.sourceRepos}
          onChange={(values) => set('sourceRepos', values)}
        />
        <Lines
          title={FIELD_TITLES.sourceNamespaces}
          hint="Patterns of namespaces, beside the control plane’s own, in which applications of this project may live."
          values={spec.sourceNamespaces}
          onChange={(values) => set('sourceNamespaces', values)}
        />
      </Card>
      <DestinationsForm spec={spec} onSet={set} />
      <Card title="Kinds of the cluster" note="Nothing is allowed that is not named here.">
        {(['clusterResourceWhitelist', 'clusterResourceBlacklist'] as const).map((field) => (
          <Rows
            key={field}
            title={FIELD_TITLES[field]}
            columns={NAMED_KIND_COLUMNS}
            rows={spec[field]}
            blank={BLANK_KIND}
            onChange={(rows) => set(field, rows)}
          />
        ))}
      </Card>
      <Card title="Kinds in namespaces" note="With nothing allowed by name, all are allowed that are not denied.">
        {(['namespaceResourceWhitelist', 'namespaceResourceBlacklist'] as const).map((field) => (
          <Rows
            key={field}
            title={FIELD_TITLES[field]}
            columns={KIND_COLUMNS}
            rows={spec[field]}
            blank={BLANK_KIND}
            onChange={(rows) => set(field, rows)}
          />
        ))}
      </Card>
      <OrphansForm spec={spec} onSet={set} />
      <Card title="Signatures">
        <Lines
          title={FIELD_TITLES.signatureKeys}
          hint="Long ids of GnuPG keys, one on each line. With any, every Git revision must be signed by one of them."
          placeholder="4AEE18F83AFDEB23"
          values={spec.signatureKeys?.map(({ keyID }) => keyID)}
          onChange={(values) => set('signatureKeys', mapKeys(values, spec.signatureKeys))}
        />
        <IntegrityForm value={spec.sourceIntegrity} onChange={(value) => set('sourceIntegrity', value)} />
      </Card>
    </div>
  );
}

interface PartProps {
  readonly spec: AppProjectSpec;
  readonly onSet: <Field extends keyof AppProjectSpec>(field: Field, value: AppProjectSpec[Field] | undefined) => void;
}

type Pair = { readonly name: string; readonly value: string };

function AboutForm({ draft, onChange }: FormProps): ReactElement {
  const { metadata, spec } = draft;
  const [labels, setLabels] = useState(() => toPairs(metadata.labels));
  const [annotations, setAnnotations] = useState(() => toPairs(metadata.annotations));
  const columns = [
    { key: 'name', title: 'Name', placeholder: 'team' },
    { key: 'value', title: 'Value' },
  ];
  return (
    <Card title="About">
      <TextField
        title={FIELD_TITLES.description}
        value={spec.description ?? ''}
        onChange={(value) => onChange(withField(draft, 'description', value))}
      />
      <Rows
        title="Labels"
        {...{ columns }}
        rows={labels}
        blank={{ name: '', value: '' }}
        onChange={(rows) => {
          setLabels(rows);
          onChange(withMetadata(draft, fromPairs(rows), metadata.annotations));
        }}
      />
      <Rows
        title="Annotations"
        {...{ columns }}
        rows={annotations}
        blank={{ name: '', value: '' }}
        onChange={(rows) => {
          setAnnotations(rows);
          onChange(withMetadata(draft, metadata.labels, fromPairs(rows)));
        }}
      />
    </Card>
  );
}

function DestinationsForm({ spec, onSet }: PartProps): ReactElement {
  const { data } = useQuery({
    queryKey: ['clusters'],
    queryFn: ({ signal }) => api.ClusterService.List({}, { signal, fields: 'items.server,items.name' }),
  });
  const clusters = data?.items ?? [];
  const server = { key: 'server', title: 'Server', placeholder: 'https://…', suggestions: clusters.flatMap((each) => each.server ?? []) };
  const namespace = { key: 'namespace', title: 'Namespace', placeholder: 'team-*', isOptional: true };
  return (
    <Card title="Destinations">
      <Rows
        title={FIELD_TITLES.destinations}
        hint="A cluster by its server or by its name, and a namespace. A star stands for anything, an exclamation mark in front denies."
        columns={[
          { ...server, isOptional: true },
          {
            key: 'name',
            title: 'or name',
            placeholder: 'in-cluster',
            suggestions: clusters.flatMap(({ name }) => name ?? []),
            isOptional: true,
          },
          namespace,
        ]}
        rows={spec.destinations}
        blank={{}}
        onChange={(rows) => onSet('destinations', rows)}
      />
      <Check
        title={FIELD_TITLES.permitOnlyProjectScopedClusters}
        detail="Clusters that are registered for all are no destinations then."
        isOn={spec.permitOnlyProjectScopedClusters === true}
        onChange={(isOn) => onSet('permitOnlyProjectScopedClusters', isOn)}
      />
      <Rows
        title={FIELD_TITLES.destinationServiceAccounts}
        hint="As whom resources are applied, where impersonation is on. The first row that matches counts."
        columns={[server, namespace, { key: 'defaultServiceAccount', title: 'Service account', placeholder: 'name, or namespace:name' }]}
        rows={spec.destinationServiceAccounts}
        blank={{ server: '', defaultServiceAccount: '' }}
        onChange={(rows) => onSet('destinationServiceAccounts', rows)}
      />
    </Card>
  );
}

function OrphansForm({ spec: { orphanedResources }, onSet }: PartProps): ReactElement {
  return (
    <Card title="Orphaned resources">
      <Check
        title="Look for resources that belong to no application"
        isOn={orphanedResources !== undefined}
        onChange={(isOn) => onSet('orphanedResources', isOn ? {} : undefined)}
      />
      {orphanedResources !== undefined && (
        <>
          <Check
            title="Warn the applications in the same namespace"
            isOn={orphanedResources.warn === true}
            onChange={(warn) => onSet('orphanedResources', { ...orphanedResources, warn })}
          />
          <Rows
            title="Ignored orphans"
            hint="All three are patterns; without a group only core resources are meant."
            columns={[
              { key: 'group', title: 'Group', isOptional: true },
              { key: 'kind', title: 'Kind', placeholder: 'any', isOptional: true },
              { key: 'name', title: 'Name', placeholder: 'any', isOptional: true },
            ]}
            rows={orphanedResources.ignore}
            blank={{}}
            onChange={(ignore) => onSet('orphanedResources', { ...orphanedResources, ignore })}
          />
        </>
      )}
    </Card>
  );
}

function toPairs(values: Readonly<Record<string, string>> | undefined): readonly Pair[] {
  return Object.entries(values ?? {}).map(([name, value]) => ({ name, value }));
}

function fromPairs(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(pairs.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]));
}

/** Keys that were there keep whatever else they hold. */
function mapKeys<Key extends { keyID: string }>(ids: readonly string[], before: readonly Key[] = []): (Key | { keyID: string })[] {
  return ids.map((keyID) => before.find((key) => key.keyID === keyID) ?? { keyID });
}
