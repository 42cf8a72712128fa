import { expectText } from '../expect.ts';
import { JsonnetObject, objectOf } from '../object.ts';
import type { FieldDefinition } from '../object.ts';
import type { Runtime } from '../runtime.ts';
import { force } from '../value.ts';
import type { Slot } from '../value.ts';
import { arrayFunctions } from './array-functions.ts';
import { encodingFunctions } from './encoding-functions.ts';
import { manifestFunctions } from './manifest-functions.ts';
import { mathFunctions } from './math-functions.ts';
import { native } from './native.ts';
import type { Native } from './native.ts';
import { objectFunctions } from './object-functions.ts';
import { setFunctions } from './set-functions.ts';
import { textFunctions } from './text-functions.ts';

const FUNCTIONS: readonly Native[] = [
  ...mathFunctions,
  ...textFunctions,
  ...arrayFunctions,
  ...setFunctions,
  ...objectFunctions,
  ...encodingFunctions,
  ...manifestFunctions,
];

/** `std`, for the files of one evaluation: each gets its own, which knows its name. */
export function createStandardLibrary(runtime: Runtime, externalVariables: ReadonlyMap<string, Slot>): (thisFile: string) => JsonnetObject {
  const extVar = native('extVar', 'x', (_, value) => {
    const name = expectText(runtime, value);
    const variable = externalVariables.get(name);
    if (variable === undefined) throw runtime.fail(`Undefined external variable: ${name}`);
    return force(variable);
  });
  const fields = new Map<string, FieldDefinition>();
  for (const each of [...FUNCTIONS, extVar]) fields.set(each.name, { visibility: 'hidden', evaluate: () => each.make(runtime) });
  fields.set('pi', { visibility: 'hidden', evaluate: () => Math.PI });
  const shared = { fields, assertions: [] };
  return (thisFile) => new JsonnetObject([shared, ...objectOf([['thisFile', thisFile]], 'hidden').layers]);
}
