import { describe, expect, it } from 'vitest';
import { readContract } from '../../scripts/generate/read-contract.ts';
import { calledMethods, messages, methods } from '../../src/contract/gen/schema.ts';
import type { FieldSchema, MethodSchema, SingleType } from '../../src/contract/schema.ts';
import facts from './wire-facts.json' with { type: 'json' };

/**
 * Where the reference server's JSON has another name than the field has on the wire, because its encoder knows no JSON name for the field
 * (upper case), embeds it or writes it by hand. The facts name the field as it is in the protobuf description.
 */
const JSON_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'argoproj.v1alpha1.KustomizeOptions': { buildOptions: 'BuildOptions', binaryPath: 'BinaryPath', versions: 'Versions' },
  'argoproj.v1alpha1.KustomizeResId': { gvk: 'KustomizeGvk' },
  'argoproj.v1alpha1.KustomizeSelector': { resId: 'KustomizeResId' },
  'argoproj.v1alpha1.KustomizeVersion': { name: 'Name', path: 'Path', buildOptions: 'BuildOptions' },
  'argoproj.v1alpha1.ResourceNode': { resourceRef: 'ResourceRef' },
  'argoproj.v1alpha1.ResourceOverride': { healthLua: 'health.lua', useOpenLibs: 'health.lua.useOpenLibs' },
  'argoproj.v1alpha1.SourceIntegrityCheckResult': { checks: 'Checks' },
  'argoproj.v1alpha1.SourceIntegrityCheckResultItem': { name: 'Name', problems: 'Problems' },
  'argoproj.v1alpha1.SyncStrategyHook': { syncStrategyApply: 'SyncStrategyApply' },
};

/** Fields that the reference server's JSON shows inlined because it writes that message by hand, which the facts do not say. */
const INLINED: Readonly<Record<string, readonly string[]>> = {
  'argoproj.v1alpha1.ApplicationSourcePluginParameter': ['map', 'array'],
};

/** What we say beyond the wire. Who does not ask for it, or does not know it, sees nothing of it. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  'application.ApplicationQuery': [
    '9 minName string',
    '10 maxName string',
    '11 repos repeated string',
    '12 clusters repeated string',
    '13 namespaces repeated string',
    '14 autoSyncEnabled bool',
    '15 syncStatuses repeated string',
    '16 healthStatuses repeated string',
    '17 search string',
    '18 offset int64',
    '19 limit int64',
    '1001 orderBy string',
    '1002 needsAttention bool',
  ],
  'argoproj.v1alpha1.ApplicationList': ['3 stats argoproj.v1alpha1.ApplicationListStats'],
  'argoproj.v1alpha1.ApplicationListStats': [
    '1 total int64',
    '2 totalBySyncStatus map<int64>',
    '3 totalByHealthStatus map<int64>',
    '4 autoSyncEnabledCount int64',
    '5 clusters repeated string',
    '6 namespaces repeated string',
    '7 repos repeated string',
  ],
  'application.ApplicationRollbackRequest': ['1001 pin bool', '1002 pinReason string', '1003 pinUntil string'],
  'repository.RepoUpdateRequest': ['1001 updatedFields repeated string'],
  'repocreds.RepoCredsUpdateRequest': ['1001 updatedFields repeated string'],
  'argoproj.v1alpha1.ResourceDiff': ['1001 differences repeated argoproj.v1alpha1.ResourceDifference'],
  'argoproj.v1alpha1.ResourceDifference': [
    '1 path string',
    '2 cause string',
    '3 manager string',
    '4 ignoreRule argoproj.v1alpha1.DifferenceIgnoreRule',
  ],
  'argoproj.v1alpha1.DifferenceIgnoreRule': [
    '1 group string',
    '2 kind string',
    '3 name string',
    '4 namespace string',
    '5 jsonPointers repeated string',
  ],
};

const contract = readContract();

describe('the contract', () => {
  it('offers 13 services with 109 methods', () => {
    expect(contract.services).toHaveLength(13);
    expect(methods).toHaveLength(109);
  });

  it('calls one service more, that of plugins, and does not offer it', () => {
    expect(contract.calledServices.map((service) => service.name)).toEqual(['plugin.ConfigManagementPluginService']);
    expect(calledMethods).toHaveLength(4);
  });

  it('has the messages and fields of the wire, and beside those that are added no others', () => {
    const actual = Object.fromEntries(messages.map((message) => [message.name, message.fields.map(describeField).toSorted()]));
    const known: Readonly<Record<string, readonly string[]>> = facts.messages;
    const names = [...new Set([...Object.keys(known), ...Object.keys(ADDED)])];
    const linesOf = (name: string): string[] => [...(known[name] ?? []).map((line) => withJsonName(name, line)), ...(ADDED[name] ?? [])];
    const wanted = names.map((name) => [name, linesOf(name).toSorted()]);
    expect(actual).toEqual(Object.fromEntries(wanted));
  });

  it('has the methods and routes of the wire and no others', () => {
    const actual = Object.fromEntries([...methods, ...calledMethods].map((method) => [method.path, describeMethod(method)]));
    expect(actual).toEqual(facts.methods);
  });

  it('says in a comment what every service, method and message is for', () => {
    const { comments } = contract;
    const silent = [
      ...[...contract.services, ...contract.calledServices]
        .filter((service) => comments.ofService(service.name) === '')
        .map((service) => service.name),
      ...[...methods, ...calledMethods]
        .filter((method) => comments.ofMethod(method.service, method.name) === '')
        .map((method) => method.path),
      ...messages.filter((message) => comments.ofMessage(message.name) === '').map((message) => message.name),
    ];
    // The one message that we do not declare ourselves.
    expect(silent).toEqual(['google.protobuf.Empty']);
  });

  it('survives the compact form in which it is generated', () => {
    expect(messages).toEqual(contract.messages);
    expect(methods).toEqual(contract.services.flatMap((service) => service.methods));
    expect(calledMethods).toEqual(contract.calledServices.flatMap((service) => service.methods));
  });

  it('uses no number, name or alias twice in a message', () => {
    for (const message of messages) {
      const names = message.fields.flatMap((field) => [field.name, ...field.aliases]);
      expect(new Set(names).size, message.name).toBe(names.length);
      expect(new Set(message.fields.map((field) => field.number)).size, message.name).toBe(message.fields.length);
    }
  });
});

/** A field in the notation of the facts. */
function describeField(field: FieldSchema): string {
  const type = field.type.kind === 'map' ? `map<${nameOf(field.type.value)}>` : nameOf(field.type);
  const parts = [field.number, field.name, field.repeated ? `repeated ${type}` : type];
  if (field.presence === 'required') parts.push('required');
  if (field.inline) parts.push('inline');
  return parts.join(' ');
}

function nameOf(type: SingleType): string {
  return type.kind === 'scalar' ? type.scalar : type.message;
}

function withJsonName(message: string, line: string): string {
  const [number, name = '', ...rest] = line.split(' ');
  const inline = INLINED[message]?.includes(name) ? ['inline'] : [];
  return [number, JSON_NAMES[message]?.[name] ?? name, ...rest, ...inline].join(' ');
}

function describeMethod(method: MethodSchema): string[] {
  return [
    (method.clientStreaming ? 'stream ' : '') + method.input,
    (method.serverStreaming ? 'stream ' : '') + method.output,
    ...method.http.map((binding) => `${binding.verb} ${binding.path}${binding.body === null ? '' : ` ${binding.body}`}`),
  ];
}
