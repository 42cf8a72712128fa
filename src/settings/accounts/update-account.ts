import { ApiError, Code } from '../../base/index.ts';
import { formatTime, type JsonObject, type KubeObject } from '../../objects/index.ts';
import { configMapNames, configMapType, partOfLabel, partOfValue, secretNames, secretType } from '../home-objects.ts';
import { modifyObject, readObject, type Home } from '../modify-object.ts';
import { encodeSecretText, readConfigMapData, readSecretData } from '../object-data.ts';
import { readTable } from '../read-table.ts';
import { generalTable } from '../tables/general-settings.ts';
import { formatTokens, secretTable } from '../tables/secret-settings.ts';
import { adminName, readAccounts, type Account } from './account.ts';

/** Says what an account shall be; throws to refuse. Asked again when somebody else was faster, with what the account is then. */
export type AccountChange = (account: Account) => Account;

export interface UpdatedAccount {
  readonly account: Account;
  /** The objects that were written. */
  readonly written: readonly KubeObject[];
}

/**
 * Changes an account in argocd-secret and, where its capabilities or its being enabled change, in argocd-cm. Nobody else's change is
 * lost. Throws NotFound for an account that is not there.
 */
export async function updateAccount(home: Home, name: string, change: AccountChange): Promise<UpdatedAccount> {
  let before: Account | undefined;
  let after: Account | undefined;
  const secret = await modifyObject(home, {
    type: secretType,
    name: secretNames.main,
    change: async (object) => {
      const general = await readObject(home, configMapType, configMapNames.general);
      if (object === undefined) throw new ApiError(Code.FailedPrecondition, `the Secret ${secretNames.main} is not there`);
      before = findAccount(name, object, general);
      after = change(before);
      return withData(object, secretData(before, after));
    },
  });
  if (before === undefined || after === undefined) throw new ApiError(Code.Internal, 'an account was not changed');
  const wanted = configMapData(before, after);
  const configMap =
    wanted.size === 0
      ? undefined
      : await modifyObject(home, {
          type: configMapType,
          name: configMapNames.general,
          change: (object) => {
            if (object === undefined) throw new ApiError(Code.FailedPrecondition, `the ConfigMap ${configMapNames.general} is not there`);
            return withData(object, wanted);
          },
        });
  const written = [secret, configMap].flatMap((result) => (result?.written === true && result.object !== undefined ? [result.object] : []));
  return { account: after, written };
}

function findAccount(name: string, secret: KubeObject, general: KubeObject | undefined): Account {
  const readable = general?.metadata.labels?.[partOfLabel] === partOfValue ? general : undefined;
  const generalReading = readTable({
    table: generalTable,
    object: configMapNames.general,
    data: readConfigMapData(readable),
    previous: undefined,
  });
  const secretReading = readTable({
    table: secretTable,
    object: secretNames.main,
    data: readSecretData(secret),
    previous: undefined,
    isFree: () => true,
  });
  const account = readAccounts(generalReading.values, secretReading.values).get(name);
  if (account === undefined) throw new ApiError(Code.NotFound, `account '${name}' does not exist`);
  // Tokens that cannot be read would be lost by writing others in their place.
  const tokensKey = `${keyPrefix(name)}.tokens`;
  if (secretReading.warnings.some(({ key }) => key === tokensKey)) {
    throw new ApiError(Code.FailedPrecondition, `${tokensKey} in the Secret ${secretNames.main} cannot be read`);
  }
  return account;
}

function keyPrefix(name: string): string {
  return name === adminName ? adminName : `accounts.${name}`;
}

/** What to set, and with undefined what to remove. */
type DataChange = ReadonlyMap<string, string | undefined>;

function secretData(before: Account, after: Account): DataChange {
  const prefix = keyPrefix(after.name);
  const changes = new Map<string, string | undefined>();
  if (before.passwordHash?.reveal() !== after.passwordHash?.reveal()) {
    changes.set(`${prefix}.password`, encodeOrNone(after.passwordHash?.reveal()));
  }
  if (before.passwordMtime !== after.passwordMtime) {
    changes.set(
      `${prefix}.passwordMtime`,
      encodeOrNone(after.passwordMtime === undefined ? undefined : formatTime(after.passwordMtime * 1000)),
    );
  }
  const tokens = formatTokens(after.tokens);
  if (formatTokens(before.tokens) !== tokens) changes.set(`${prefix}.tokens`, encodeOrNone(tokens === '[]' ? undefined : tokens));
  return changes;
}

function configMapData(before: Account, after: Account): DataChange {
  const changes = new Map<string, string | undefined>();
  if (before.enabled !== after.enabled) {
    changes.set(after.name === adminName ? 'admin.enabled' : `accounts.${after.name}.enabled`, after.enabled ? undefined : 'false');
    // The other spelling of the same must not contradict it.
    if (after.name === adminName) changes.set(`accounts.${adminName}.enabled`, undefined);
  }
  const capabilities = after.capabilities.filter((capability) => after.name !== adminName || capability !== 'login').join(',');
  const known = before.capabilities.filter((capability) => before.name !== adminName || capability !== 'login').join(',');
  if (known !== capabilities) changes.set(`accounts.${after.name}`, capabilities);
  return changes;
}

function encodeOrNone(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : encodeSecretText(text);
}

/** Undefined when nothing is to be changed, so that nothing is written. */
function withData(object: KubeObject, changes: DataChange): KubeObject | undefined {
  const data = (object['data'] ?? {}) as JsonObject;
  const isNews = [...changes].some(([key, value]) => (Object.hasOwn(data, key) ? data[key] : undefined) !== value);
  if (!isNews) return undefined;
  const kept = Object.entries(data).filter(([key]) => !changes.has(key));
  const set = [...changes].flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return { ...object, data: Object.fromEntries([...kept, ...set]) };
}
