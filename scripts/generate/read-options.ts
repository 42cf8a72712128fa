import { getOption, hasOption } from '@bufbuild/protobuf';
import type { DescExtension, DescField, DescMessage, DescMethod, DescService, FileRegistry } from '@bufbuild/protobuf';
import type { HttpBinding, HttpVerb, SpecialType } from '../../src/contract/schema.ts';

/** The options that `proto/fairway/options.proto` and `proto/google/api/annotations.proto` add, as plain values. */
export interface Options {
  special(message: DescMessage): SpecialType | undefined;
  empty(field: DescField): 'unspecified' | 'omit' | 'zero' | 'null';
  inline(field: DescField): boolean;
  required(field: DescField): boolean;
  aliases(field: DescField): readonly string[];
  text(field: DescField): boolean;
  bindings(method: DescMethod): readonly HttpBinding[];
  called(service: DescService): boolean;
}

/** By the numbers of the enums in `options.proto`. */
const SPECIALS: readonly (SpecialType | undefined)[] = [undefined, 'Time', 'MicroTime', 'IntOrString', 'RawJson'];
const EMPTIES = ['unspecified', 'omit', 'zero', 'null'] as const;

export function readOptions(registry: FileRegistry): Options {
  const find = (name: string): DescExtension => {
    const extension = registry.getExtension(name);
    if (!extension) throw new Error(`proto/ has no option named ${name}`);
    return extension;
  };
  const special = find('fairway.special');
  const empty = find('fairway.empty');
  const inline = find('fairway.inline');
  const required = find('fairway.required');
  const alias = find('fairway.alias');
  const text = find('fairway.text');
  const http = find('google.api.http');
  const called = find('fairway.called');
  const isCalled = (service: DescService): boolean => getOption(service, called) === true;
  return {
    special: (message) => SPECIALS[Number(getOption(message, special))],
    empty: (field) => EMPTIES[Number(getOption(field, empty))] ?? 'unspecified',
    inline: (field) => getOption(field, inline) === true,
    required: (field) => getOption(field, required) === true,
    aliases: (field) => [...(getOption(field, alias) as string[])],
    text: (field) => getOption(field, text) === true,
    called: isCalled,
    bindings(method) {
      if (isCalled(method.parent)) return [];
      if (!hasOption(method, http)) throw new Error(`${method.toString()} has no HTTP binding`);
      const rule = getOption(method, http) as HttpRule;
      return [rule, ...rule.additionalBindings].map(readBinding);
    },
  };
}

/** The shape of `google.api.HttpRule` as the descriptor library shows it. */
interface HttpRule {
  readonly pattern: { readonly case: string; readonly value: string };
  readonly body: string;
  readonly additionalBindings: readonly HttpRule[];
}

function readBinding(rule: HttpRule): HttpBinding {
  return { verb: rule.pattern.case.toUpperCase() as HttpVerb, path: rule.pattern.value, body: rule.body || null };
}
