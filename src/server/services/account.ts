import { adminAccount, policyActions, policyResources, type Policy } from '../../access/index.ts';
import { ApiError, Code } from '../../base/index.ts';
import type { Account, AccountService } from '../../contract/index.ts';
import type { Call } from '../call.ts';

/** The namespace that the control plane's own objects are in. */
const controlNamespace = 'argocd';
const namespacedResources: readonly string[] = ['applications', 'applicationsets', 'logs', 'exec'];

/** What can be asked about accounts; changing them comes with a place to keep the change. */
export function createAccountService(policy: Policy): Pick<AccountService<Call>, 'CanI' | 'GetAccount' | 'ListAccounts'> {
  return {
    CanI({ resource = '', action = '', subresource = '' }, call) {
      requireMember(policyActions, action);
      requireMember(policyResources, resource);
      const object = namespacedResources.includes(resource) ? withoutControlNamespace(subresource) : subresource;
      const allowed = call.caller !== undefined && policy.isAllowed(call.caller, resource, action, object);
      return { value: allowed ? 'yes' : 'no' };
    },

    ListAccounts: async () => ({ items: [describeAdmin()] }),

    async GetAccount({ name = '' }) {
      if (name !== adminAccount.name) throw new ApiError(Code.NotFound, `account '${name}' does not exist`);
      return describeAdmin();
    },
  };
}

function describeAdmin(): Account {
  return { name: adminAccount.name, enabled: adminAccount.enabled, capabilities: [...adminAccount.capabilities] };
}

function requireMember(known: readonly string[], asked: string): void {
  if (!known.includes(asked)) throw new ApiError(Code.InvalidArgument, `[${known.join(' ')}] does not contain ${asked}`);
}

/** Policies name an object of the control namespace by its project and name alone. */
function withoutControlNamespace(object: string): string {
  const parts = object.split('/');
  return parts.length === 3 && parts[1] === controlNamespace ? `${parts[0]}/${parts[2]}` : object;
}
