import { systemClock, type Clock } from './clock.ts';
import { cleanLogText, cleanLogValue } from './log-value.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What belongs to one record. The names of a record's own parts are taken. */
export type LogFields = { readonly [name: string]: unknown; readonly time?: never; readonly level?: never; readonly message?: never };

/** Writes one line per record: a constant message, so that records can be counted, and fields that vary. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface LoggerOptions {
  /** Records below this level are dropped. */
  readonly level: LogLevel;
  readonly format: 'json' | 'text';
  /** Receives each line with its newline. */
  readonly write: (line: string) => void;
  readonly clock?: Clock;
}

export function createLogger(options: LoggerOptions): Logger {
  const { format, write, clock = systemClock } = options;
  const threshold = logLevels.indexOf(options.level);
  const render = format === 'json' ? renderJson : renderText;
  const log = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (logLevels.indexOf(level) < threshold) return;
    write(`${render(new Date(clock.nowMs()).toISOString(), level, cleanLogText(message), cleanFields(fields))}\n`);
  };
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
}

function cleanFields(fields: LogFields | undefined): [string, unknown][] {
  if (fields === undefined) return [];
  const cleaned = Object.entries(fields).map(([name, value]): [string, unknown] => [name, cleanLogValue(name, value)]);
  return cleaned.filter(([, value]) => value !== undefined);
}

function renderJson(time: string, level: LogLevel, message: string, fields: [string, unknown][]): string {
  return JSON.stringify({ time, level, message, ...Object.fromEntries(fields) });
}

function renderText(time: string, level: LogLevel, message: string, fields: [string, unknown][]): string {
  const parts = fields.map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return `${time} ${level.toUpperCase().padEnd(5)} ${message}${parts.join('')}`;
}
