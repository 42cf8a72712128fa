import { caseFunctions } from './case-functions.ts';
import { cryptoFunctions } from './crypto-functions.ts';
import { dateFunctions } from './date-functions.ts';
import { dictFunctions } from './dict-functions.ts';
import { encodingFunctions } from './encoding-functions.ts';
import type { FunctionContext, NamedFunctions } from './environment.ts';
import { listFunctions } from './list-functions.ts';
import { numberFunctions } from './number-functions.ts';
import { pathFunctions } from './path-functions.ts';
import { randomFunctions } from './random-functions.ts';
import { regexFunctions } from './regex-functions.ts';
import { semverFunctions } from './semver-functions.ts';
import { textFunctions } from './text-functions.ts';
import { urlFunctions } from './url-functions.ts';

/** The functions of sprig, without those that read the environment or ask the network. */
export function sprigFunctions(context: FunctionContext): NamedFunctions {
  return [
    ...textFunctions(context),
    ...caseFunctions(),
    ...listFunctions(context),
    ...dictFunctions(context),
    ...numberFunctions(context),
    ...encodingFunctions(context),
    ...dateFunctions(context),
    ...regexFunctions(context),
    ...semverFunctions(),
    ...pathFunctions(),
    ...urlFunctions(),
    ...randomFunctions(context),
    ...cryptoFunctions(context),
  ];
}
