import { GENERATED } from './contract.ts';
import type { Contract, ServiceSchema } from './contract.ts';

/**
 * Where each method is found over REST, and the type of each service: what a browser needs of the contract, without the tables that
 * the codec needs.
 */
export function writeRestRoutes({ services }: Contract): string {
  const names = services.map(shortName);
  return (
    [
      GENERATED,
      `import type {\n${names.map((name) => `  ${name},`).join('\n')}\n} from './types.ts';`,
      `/** The services by name. */\nexport interface Services<Call> {\n${names.map((name) => `  ${name}: ${name}<Call>;`).join('\n')}\n}`,
      `/** By service and method: verb, path, and the field that is the body (\`*\`: all that is not in the path). */\nexport const restRoutes = {\n${services.map(writeService).join('\n')}\n} as const;`,
    ].join('\n\n') + '\n'
  );
}

function writeService(service: ServiceSchema): string {
  const methods = service.methods.flatMap(({ name, http, serverStreaming }) => {
    // Of several the one that needs least in its path: what it leaves out may be empty, and goes into the query.
    const [binding] = http.toSorted((left, right) => countVariables(left.path) - countVariables(right.path));
    if (binding === undefined) return [];
    const body = binding.body === null ? '' : ` ${binding.body}`;
    return [`    ${name}: '${serverStreaming ? 'STREAM ' : ''}${binding.verb} ${binding.path}${body}',`];
  });
  return `  ${shortName(service)}: {\n${methods.join('\n')}\n  },`;
}

function countVariables(path: string): number {
  return path.split('{').length;
}

/** `account.AccountService` is `AccountService`. */
function shortName({ name }: ServiceSchema): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
