import { isProjectSubject, localIssuer, policyActions, policyResources, type Caller } from '../../access/index.ts';
import { ApiError, Code } from '../../base/index.ts';
import type { AccountService, Account as ShownAccount } from '../../contract/index.ts';
import type { Account } from '../../settings/index.ts';
import type { Call } from '../call.ts';
import { changePassword } from './account-password.ts';
import { createAccountToken, deleteAccountToken } from './account-tokens.ts';
import type { AccountServiceOptions } from './account-context.ts';
import { mayDo, requireAllowed } from './authorise.ts';

const namespacedResources: readonly string[] = ['applications', 'applicationsets', 'logs', 'exec'];
/** Actions on the parts of an application: `update/<group>/<kind>/<namespace>/<name>`, `action/<group>/<kind>/<action>`. */
const partActions = /^(update|delete|action)\//;

export function createAccountService(options: AccountServiceOptions): AccountService<Call> {
  const { policy, settings, namespace } = options;

  function requireAccount(call: Call, action: 'get' | 'update', name: string): void {
    if (!isOwn(call.caller, name)) requireAllowed(policy, call, { resource: 'accounts', action, object: name });
  }

  return {
    CanI({ resource = '', action = '', subresource = '' }, call) {
      requireDeed(resource, action, subresource);
      const object = toPolicyObject(resource, subresource, namespace);
      return { value: mayDo(policy, call, { resource, action, object }) ? 'yes' : 'no' };
    },

    ListAccounts(_request, call) {
      const accounts = [...settings.current.accounts.values()].filter(
        ({ name }) => isOwn(call.caller, name) || mayDo(policy, call, { resource: 'accounts', action: 'get', object: name }),
      );
      return { items: accounts.map(showAccount) };
    },

    GetAccount({ name = '' }, call) {
      requireAccount(call, 'get', name);
      const account = settings.current.accounts.get(name);
      if (account === undefined) throw new ApiError(Code.NotFound, `account '${name}' does not exist`);
      return showAccount(account);
    },

    UpdatePassword: (request, call) => changePassword(options, request, call),

    async CreateToken({ name = '', id = '', expiresIn = 0 }, call) {
      requireAccount(call, 'update', name);
      return { token: await createAccountToken(options, { name, id, expiresIn }) };
    },

    async DeleteToken({ name = '', id = '' }, call) {
      requireAccount(call, 'update', name);
      await deleteAccountToken(options, { name, id });
      return {};
    },
  };
}

/** An account of ours may always see and change itself; a stranger of the same name at a provider is somebody else. */
function isOwn(caller: Caller | undefined, name: string): boolean {
  return caller !== undefined && caller.issuer === localIssuer && caller.username === name && !isProjectSubject(name);
}

function showAccount({ name, enabled, capabilities, tokens }: Account): ShownAccount {
  const newestFirst = tokens.toSorted((one, other) => other.issuedAt - one.issuedAt);
  return {
    name,
    enabled,
    capabilities: [...capabilities],
    tokens: newestFirst.map(({ id, issuedAt, expiresAt }) => ({ id, issuedAt, expiresAt: expiresAt ?? 0 })),
  };
}

/** Longer than any name of anything. */
const textLengthMax = 4_096;

/** Throws InvalidArgument for what no policy can be about. */
export function requireDeed(resource: string, action: string, object: string): void {
  if (action.length > textLengthMax || object.length > textLengthMax) throw new ApiError(Code.InvalidArgument, 'the question is too long');
  if (!partActions.test(action)) requireMember(policyActions, action);
  requireMember(policyResources, resource);
}

function requireMember(known: readonly string[], asked: string): void {
  if (!known.includes(asked)) throw new ApiError(Code.InvalidArgument, `[${known.join(' ')}] does not contain ${asked}`);
}

/** Policies name an object of the control namespace by its project and name alone. */
export function toPolicyObject(resource: string, object: string, namespace: string): string {
  if (!namespacedResources.includes(resource)) return object;
  const first = object.indexOf('/');
  const last = object.lastIndexOf('/');
  return last > first && object.slice(first + 1, last) === namespace ? object.slice(0, first) + object.slice(last) : object;
}
