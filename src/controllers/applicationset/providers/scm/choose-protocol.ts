import { ApiError, Code } from '../../../../base/index.ts';

/** What a protocol stands for at a provider; without one it is SSH. */
export function chooseProtocol<Choice>(protocol: string, choices: Readonly<Record<string, Choice>>, provider: string): Choice {
  const name = protocol === '' ? 'ssh' : protocol;
  const choice = Object.hasOwn(choices, name) ? choices[name] : undefined;
  if (choice === undefined) throw new ApiError(Code.InvalidArgument, `unknown clone protocol for ${provider} ${protocol}`);
  return choice;
}
