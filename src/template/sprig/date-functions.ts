import { formatDuration, parseDuration } from '../go/duration.ts';
import { define, GoError } from '../go/go-function.ts';
import { addNanoseconds, formatMoment, goTime, knownZone, moment, momentOf, nanosecondsBetween, ZERO_MOMENT } from '../go/go-time.ts';
import type { Moment } from '../go/go-time.ts';
import { quote } from '../go/quote.ts';
import { parseTime } from '../go/time-layout.ts';
import { GoInt } from '../go/value.ts';
import type { GoAny, GoStruct } from '../go/value.ts';
import type { FunctionContext, NamedFunctions } from './environment.ts';

const SECOND = 1_000_000_000n;
const HOUR = 3600n * SECOND;
const ROUNDS: readonly (readonly [string, bigint])[] = [
  ['y', HOUR * 24n * 365n],
  ['mo', HOUR * 24n * 30n],
  ['d', HOUR * 24n],
  ['h', HOUR],
  ['m', 60n * SECOND],
  ['s', SECOND],
];

export function dateFunctions({ environment }: FunctionContext): NamedFunctions {
  const now = (): Moment => {
    if (environment.now === undefined) throw new GoError('there is no clock here');
    return moment(environment.now());
  };
  const timeOf = (value: GoAny): Moment => momentOf(value) ?? (isSeconds(value) ? moment(Number(value.value) * 1000) : now());
  const inZone = (layout: string, value: GoAny, zone: string): string =>
    formatMoment({ ...timeOf(value), zone: knownZone(zone) ?? 'UTC' }, layout);
  const dateInZone = define('string, any, string', inZone);
  const dateModify = define('string, time.Time', (text: string, time: GoStruct) => modify(text, time) ?? time);
  const mustDateModify = define('string, time.Time', (text: string, time: GoStruct) => {
    const changed = modify(text, time);
    if (changed === undefined) throw new GoError(`time: invalid duration ${quote(text)}`);
    return changed;
  });
  return [
    ['now', define('', () => goTime(now()))],
    ['date', define('string, any', (layout: string, value: GoAny) => inZone(layout, value, 'Local'))],
    ['dateInZone', dateInZone],
    ['date_in_zone', dateInZone],
    ['htmlDate', define('any', (value: GoAny) => inZone('2006-01-02', value, 'Local'))],
    ['htmlDateInZone', define('any, string', (value: GoAny, zone: string) => inZone('2006-01-02', value, zone))],
    ['dateModify', dateModify],
    ['date_modify', dateModify],
    ['mustDateModify', mustDateModify],
    ['must_date_modify', mustDateModify],
    ['ago', define('any', (value: GoAny) => formatDuration(roundSeconds(nanosecondsBetween(now(), timeOf(value)))))],
    ['duration', define('any', (value: GoAny) => formatDuration(BigInt.asIntN(64, readSeconds(value) * SECOND)))],
    ['durationRound', define('any', (value: GoAny) => roundDuration(readDuration(value, now)))],
    ['toDate', define('string, string', (layout: string, text: string) => goTime(parseMoment(layout, text) ?? ZERO_MOMENT))],
    [
      'mustToDate',
      define('string, string', (layout: string, text: string) => {
        const time = parseMoment(layout, text);
        if (time === undefined)
          throw new GoError(`parsing time ${quote(text)} as ${quote(layout)}: cannot parse ${quote(text)} as ${quote(layout)}`);
        return goTime(time);
      }),
    ],
    ['unixEpoch', define('time.Time', (time: GoStruct) => String(Math.floor((momentOf(time) ?? ZERO_MOMENT).epochMs / 1000)))],
  ];
}

function isSeconds(value: GoAny): value is GoInt {
  return value instanceof GoInt && ['int', 'int32', 'int64'].includes(value.type);
}

function modify(text: string, time: GoStruct): GoStruct | undefined {
  const duration = parseDuration(text);
  return duration === undefined ? undefined : goTime(addNanoseconds(momentOf(time) ?? ZERO_MOMENT, duration));
}

function parseMoment(layout: string, text: string): Moment | undefined {
  const parsed = parseTime(layout, text);
  return parsed === undefined ? undefined : { ...parsed, zone: parsed.offsetSeconds };
}

function roundSeconds(nanoseconds: bigint): bigint {
  const half = nanoseconds < 0n ? -SECOND / 2n : SECOND / 2n;
  return ((nanoseconds + half) / SECOND) * SECOND;
}

function readSeconds(value: GoAny): bigint {
  if (value instanceof GoInt && value.type === 'int64') return value.value;
  return typeof value === 'string' && /^[-+]?\d+$/.test(value) ? BigInt(value.replace('+', '')) : 0n;
}

function readDuration(value: GoAny, now: () => Moment): bigint {
  if (typeof value === 'string') return parseDuration(value) ?? 0n;
  if (value instanceof GoInt && value.type === 'int64') return value.value;
  const time = momentOf(value);
  return time === undefined ? 0n : nanosecondsBetween(now(), time);
}

function roundDuration(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const unit = ROUNDS.find(([, length]) => size > length);
  return unit === undefined ? '0s' : `${size / unit[1]}${unit[0]}`;
}
