import type { KubeObject } from '../objects/index.ts';
import { readAccounts } from './accounts/account.ts';
import { configMapNames, partOfLabel, partOfValue, secretNames } from './home-objects.ts';
import type { HomeState } from './home-state.ts';
import { keepEntries } from './keep-entries.ts';
import { readConfigMapData, readSecretData } from './object-data.ts';
import { readProviders } from './read-providers.ts';
import { readSecretStores } from './read-secret-stores.ts';
import { readTable, type SettingWarning, type TableReading } from './read-table.ts';
import { createSecretLookup } from './secret-references.ts';
import type { SettingTable } from './setting-table.ts';
import { listChanges, type SettingChange, type Snapshot } from './snapshot.ts';
import { ignoredParameterPrefixes } from './tables/controller-parameters.ts';
import { generalTable } from './tables/general-settings.ts';
import { parameterTable } from './tables/parameter-settings.ts';
import { rbacTable } from './tables/rbac-settings.ts';
import { joinOverrides } from './tables/resource-override.ts';
import { secretTable } from './tables/secret-settings.ts';

/** The tables as they were read last, from which unchanged parts and last good values come. */
interface Readings {
  readonly general: TableReading<typeof generalTable>;
  readonly rbac: TableReading<typeof rbacTable>;
  readonly parameters: TableReading<typeof parameterTable>;
  readonly secret: TableReading<typeof secretTable>;
  /** All that is in argocd-secret, for what names it. This stays inside the room. */
  readonly secretData: ReadonlyMap<string, string>;
}

export interface Built {
  readonly snapshot: Snapshot;
  readonly warnings: readonly SettingWarning[];
  /** What differs from the snapshot before; empty when it is the same. */
  readonly changes: readonly SettingChange[];
  readonly readings: Readings;
}

/** Makes a snapshot of what the home holds. Pure: the same state and the same past give the same. */
export function buildSnapshot(state: HomeState, previous: Built | undefined): Built {
  const warnings: SettingWarning[] = [];
  const readings = readTables(state, previous, warnings);
  const before = previous?.snapshot;
  const general = readings.general.values;
  const rbac = readings.rbac.values;
  const secret = readings.secret.values;
  const stores = readSecretStores(state, before);
  const lookup = createSecretLookup(readings.secretData, stores.referable);
  const providers = readProviders({ general, secret, lookup, before, warn: (warning) => warnings.push(warning) });
  const next: Snapshot = {
    version: (before?.version ?? 0) + 1,
    general,
    rbac,
    policy: joinPolicies(rbac.policy, rbac.morePolicies),
    policyIncomplete: [...readings.rbac.lines].some(([key, { good }]) => key.endsWith('.csv') && good === undefined),
    parameters: readings.parameters.values,
    secret,
    accounts: keepEntries(before?.accounts, readAccounts(general, secret)),
    ...providers,
    resourceOverrides: keepEntries(before?.resourceOverrides, joinOverrides(general)),
    certificate: stores.certificate,
    sshKnownHosts: readConfigMapData(state.configMap(configMapNames.sshKnownHosts)).get('ssh_known_hosts') ?? '',
    tlsCertificates: keepEntries(before?.tlsCertificates, readConfigMapData(state.configMap(configMapNames.tlsCertificates))),
    gpgKeys: keepEntries(before?.gpgKeys, readConfigMapData(state.configMap(configMapNames.gpgKeys))),
    labelledSecrets: stores.labelledSecrets,
    revokedTokens: stores.revokedTokens,
    lockouts: stores.lockouts,
  };
  const changes = before === undefined ? [] : listChanges(before, next);
  const snapshot = before !== undefined && changes.length === 0 ? before : Object.freeze(next);
  return { snapshot, warnings, changes, readings };
}

function readTables(state: HomeState, previous: Built | undefined, warnings: SettingWarning[]): Readings {
  const before = previous?.readings;
  const generalObject = readableGeneral(state.configMap(configMapNames.general), before !== undefined, warnings);
  const general =
    generalObject === undefined && before !== undefined
      ? before.general
      : readTable({
          table: generalTable,
          object: configMapNames.general,
          data: readConfigMapData(generalObject),
          previous: before?.general,
        });
  /** It need not be there, but one that said something and goes would let happen what it held back: deletions, or what a line denies. */
  const readOptional = <Table extends SettingTable>(
    table: Table,
    object: string,
    { said, isFree }: { readonly said: TableReading<Table> | undefined; readonly isFree?: (key: string) => boolean },
  ): TableReading<Table> => {
    const found = state.configMap(object);
    if (found === undefined && said !== undefined && said.lines.size > 0) {
      warnings.push(missing(object, true));
      return said;
    }
    return readTable({ table, object, data: readConfigMapData(found), previous: said, ...(isFree && { isFree }) });
  };
  const rbac = readOptional(rbacTable, configMapNames.rbac, { said: before?.rbac });
  const parameters = readOptional(parameterTable, configMapNames.parameters, {
    said: before?.parameters,
    isFree: (key) => ignoredParameterPrefixes.some((prefix) => key.startsWith(prefix)),
  });
  const secretObject = state.secret(secretNames.main);
  if (secretObject === undefined) warnings.push(missing(secretNames.main, before !== undefined));
  const secretData = secretObject === undefined && before !== undefined ? before.secretData : readSecretData(secretObject);
  const secret =
    secretObject === undefined && before !== undefined
      ? before.secret
      : readTable({
          table: secretTable,
          object: secretNames.main,
          data: secretData,
          previous: before?.secret,
          // Whatever else is in it can be named by a reference.
          isFree: () => true,
        });
  for (const reading of [general, rbac, parameters, secret]) warnings.push(...reading.warnings);
  return { general, rbac, parameters, secret, secretData };
}

/**
 * argocd-cm counts only with its label, as in existing installations. When it goes, what it said stays in force: its defaults could
 * open what it had closed.
 */
function readableGeneral(object: KubeObject | undefined, wasRead: boolean, warnings: SettingWarning[]): KubeObject | undefined {
  if (object === undefined) {
    warnings.push(missing(configMapNames.general, wasRead));
    return undefined;
  }
  if (object.metadata.labels?.[partOfLabel] === partOfValue) return object;
  const kept = wasRead ? 'what was read before stays' : 'defaults are';
  warnings.push({
    object: configMapNames.general,
    key: '',
    reason: `not read, because it lacks the label ${partOfLabel}: ${partOfValue}; ${kept} in force`,
  });
  return undefined;
}

function missing(object: string, wasRead: boolean): SettingWarning {
  return { object, key: '', reason: `not there; ${wasRead ? 'what was read before stays' : 'defaults are'} in force` };
}

function joinPolicies(policy: string, more: ReadonlyMap<string, string>): string {
  const names = [...more.keys()].sort();
  return [policy, ...names.map((name) => more.get(name) ?? '')].filter((text) => text !== '').join('\n');
}
