import { isJsonArray, isJsonObject, type JsonValue } from '../../objects/index.ts';

/** Charts are not as large; what goes on beyond is left out. */
const VALUES_MAX = 50_000;

/** Nested values as the parameters that would set them: `image.tag`, `hosts[0].name`. */
export function flattenValues(value: JsonValue): ReadonlyMap<string, string> {
  const flat = new Map<string, string>();
  const visit = (at: string, here: JsonValue): void => {
    if (flat.size >= VALUES_MAX) return;
    if (isJsonArray(here)) for (const [index, item] of here.entries()) visit(`${at}[${index}]`, item);
    else if (isJsonObject(here)) for (const [key, item] of Object.entries(here)) visit(at === '' ? key : `${at}.${key}`, item);
    else if (at !== '') flat.set(at, formatScalar(here));
  };
  visit('', value);
  return flat;
}

function formatScalar(value: Exclude<JsonValue, object>): string {
  if (value === null) return '<nil>';
  return typeof value === 'number' ? formatFloat(value) : String(value);
}

/** As clients know numbers from the tools that they come from: large and small ones with an exponent of two digits at least. */
function formatFloat(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (value === 0 || (power >= -4 && power < 6)) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
