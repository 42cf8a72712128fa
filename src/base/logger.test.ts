import { describe, expect, it } from 'vitest';
import { createLogger, type LogFields, type LogLevel } from './logger.ts';

const clock = { nowMs: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6) };

function write(fields: LogFields | undefined, options: { format?: 'json' | 'text'; level?: LogLevel } = {}): string {
  let output = '';
  const log = createLogger({ level: options.level ?? 'info', format: options.format ?? 'json', write: (line) => (output += line), clock });
  log.info('something happened', fields);
  return output;
}

describe('a log record', () => {
  it('is one JSON object on one line, its own parts first', () => {
    expect(write({ port: 8080, host: 'a', absent: undefined })).toBe(
      '{"time":"2026-01-02T03:04:05.006Z","level":"info","message":"something happened","port":8080,"host":"a"}\n',
    );
  });

  it('is readable as text', () => {
    expect(write({ port: 8080, host: 'a b' }, { format: 'text' })).toBe(
      '2026-01-02T03:04:05.006Z INFO  something happened port=8080 host="a b"\n',
    );
  });

  it('is dropped below the level', () => {
    expect(write({}, { level: 'warn' })).toBe('');
  });

  it.each(['json', 'text'] as const)('AUD-02: stays one line without control codes, whatever a value holds (%s)', (format) => {
    const hostile = 'a\r\nlevel=error\u001b[2J\u0000\u0085\u2028\u202e\u007fb';
    const line = write({ user: hostile, nested: { ['k\n']: [hostile] } }, { format });
    expect(line.split('\n')).toHaveLength(2);
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
    expect(line).toContain('\\u001b[2J');
  });

  it('AUD-02: is capped, whatever the size of a value', () => {
    const line = write({ user: 'x'.repeat(1_000_000), list: Array.from({ length: 10_000 }, () => 'y'), deep: nest(1_000) });
    expect(line.length).toBeLessThan(5_000);
    expect(line).toContain('(1000000 characters)');
  });

  it('never shows a value whose name says that it is secret, at any depth', () => {
    const line = write({
      password: 'hunter2',
      headers: { Authorization: 'hunter2', cookie: ['hunter2'] },
      signingKey: 'hunter2',
      apiToken: 'hunter2',
    });
    expect(line).not.toContain('hunter2');
    expect(line).toContain('[redacted]');
  });

  it('never shows a token inside a text', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZG1pbiJ9.c2lnbmF0dXJl';
    expect(write({ url: `/x?t=${token}&y` })).toContain('"/x?t=[redacted]&y"');
    expect(write({ error: new Error(`bad ${token}`) })).not.toContain('eyJ');
  });

  it('shows an error with its code, its frames and its cause', () => {
    const cause = Object.assign(new Error('no\nroom'), { code: 'ENOSPC' });
    const record = JSON.parse(write({ error: new Error('cannot write', { cause }) })) as { error: Record<string, unknown> };
    expect(record.error).toMatchObject({ name: 'Error', message: 'cannot write', cause: { message: 'no\\u000aroom', code: 'ENOSPC' } });
    expect(record.error['stack']).toMatch(/^at .*logger\.test\.ts/);
  });
});

function nest(depth: number): object {
  let value: object = {};
  for (let index = 0; index < depth; index += 1) value = { value };
  return value;
}
