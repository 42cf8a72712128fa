import { ApiError, Code } from '../base/index.ts';
import { compareStrings } from './apply/compare-json.ts';

/** All requirements must hold. */
export type FieldSelector = readonly FieldRequirement[];

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Reads `metadata.name=a,status.phase!=Running`; a backslash makes a comma, an equals sign or a backslash part of a value. */
export function parseFieldSelector(text: string): FieldSelector {
  return splitTerms(text)
    .filter((term) => term !== '')
    .sort(compareStrings)
    .map((term) => {
      const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
      if (match === null) throw new ApiError(Code.InvalidArgument, `invalid selector: '${text}'; can't understand '${term}'`);
      const [, field = '', operator, value = ''] = match;
      return { field, operator: operator === '!=' ? ('!=' as const) : ('=' as const), value: unescapeValue(value) };
    })
    .filter(({ field, value }) => field !== '' || value !== '');
}

/** A field that an object does not have counts as empty. */
export function matchesFieldSelector(selector: FieldSelector, fieldOf: (field: string) => string | undefined): boolean {
  return selector.every(({ field, operator, value }) => ((fieldOf(field) ?? '') === value) === (operator === '='));
}

export function formatFieldSelector(selector: FieldSelector): string {
  return selector.map(({ field, operator, value }) => `${field}${operator}${value.replace(/[\\,=]/g, '\\$&')}`).join(',');
}

/** At commas that no backslash stands before. */
function splitTerms(text: string): string[] {
  return text.match(/(?:\\.|\\$|[^\\,])+/gs) ?? [];
}

function unescapeValue(text: string): string {
  return text.replace(/\\(.?)|[,=]/gsu, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      const character = String(found.codePointAt(0));
      throw new ApiError(Code.InvalidArgument, `invalid field selector: unescaped character in value: ${character}`);
    }
    if (escaped === '' || !'\\,='.includes(escaped))
      throw new ApiError(Code.InvalidArgument, `invalid field selector: invalid escape sequence: ${found}`);
    return escaped;
  });
}
