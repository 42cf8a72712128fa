/**
 * Times as RFC 3339 text and as seconds since 1970, both in UTC. `Date` is not used: it knows no microseconds, accepts
 * far more than RFC 3339, and takes several times as long.
 */

/** A point in time: whole seconds since 1970, and nanoseconds (0 to 999,999,999) after them. */
export interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

/** 0001-01-01T00:00:00Z, which clients of this API mean as "no time". */
export const ZERO_SECONDS = -62_135_596_800;
/** 9999-12-31T23:59:59Z: the last second that RFC 3339 can write. */
export const LAST_SECONDS = 253_402_300_799;

const SECONDS_PER_DAY = 86_400;
const DAYS_PER_ERA = 146_097;
/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH_DAYS = 719_468;
const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

/** Any RFC 3339 time within the years 0001 to 9999, or undefined. */
export function parseTime(text: string): Timestamp | undefined {
  const match = RFC_3339.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match;
  const local = secondsOf(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second));
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60;
  const seconds = local - (sign === '-' ? -offset : offset);
  if (!isWritableTime(seconds)) return undefined;
  return { seconds, nanos: Number(fraction.slice(0, 9).padEnd(9, '0')) };
}

/** The whole seconds of an RFC 3339 time, or NaN. Quick for the form that the API itself writes. */
export function parseSeconds(text: string): number {
  if (text.length !== 20 || text.charCodeAt(19) !== 0x5a || text.charCodeAt(10) !== 0x54) return parseTime(text)?.seconds ?? NaN;
  if (text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d || text.charCodeAt(13) !== 0x3a || text.charCodeAt(16) !== 0x3a)
    return NaN;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const seconds = secondsOf(year, twoDigits(text, 5), twoDigits(text, 8), twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17));
  return isWritableTime(seconds) ? seconds : NaN;
}

/** For example `2024-01-02T03:04:05Z`. */
export function formatSeconds(seconds: number): string {
  return `${formatWithoutZone(seconds)}Z`;
}

/** For example `2024-01-02T03:04:05.000006Z`. */
export function formatMicroseconds({ seconds, nanos }: Timestamp): string {
  return `${formatWithoutZone(seconds)}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`;
}

/** True from the year 0001 to the year 9999; false for NaN. */
export function isWritableTime(seconds: number): boolean {
  return seconds >= ZERO_SECONDS && seconds <= LAST_SECONDS;
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30;
  const ones = text.charCodeAt(at + 1) - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

/** NaN unless every part is in its range. Counts in eras of 400 years that begin on 1 March, so leap days come last. */
function secondsOf(year: number, month: number, day: number, hour: number, minute: number, second: number): number {
  if (!(month >= 1 && month <= 12 && day >= 1 && hour <= 23 && minute <= 59 && second <= 59)) return NaN;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (day > (month === 2 && leap ? 29 : DAYS_IN_MONTH[month - 1]!)) return NaN;
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return (era * DAYS_PER_ERA + dayOfEra - EPOCH_DAYS) * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second;
}

function formatWithoutZone(seconds: number): string {
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const ofDay = seconds - days * SECONDS_PER_DAY;
  const shifted = days + EPOCH_DAYS;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const hour = Math.floor(ofDay / 3600);
  const minute = Math.floor((ofDay - hour * 3600) / 60);
  const date = `${TWO_DIGITS[Math.floor(year / 100)]}${TWO_DIGITS[year % 100]}-${TWO_DIGITS[month]}-${TWO_DIGITS[day]}`;
  return `${date}T${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[ofDay % 60]}`;
}
