import { describe, expect, it } from 'vitest';
import { ApiError, Code } from '../base/index.ts';
import { formatFieldSelector, matchesFieldSelector, parseFieldSelector } from './field-selector.ts';

describe('a field selector', () => {
  it('is read, written and matched', () => {
    const selector = parseFieldSelector('status.phase!=Running,metadata.name==a');
    expect(formatFieldSelector(selector)).toBe('metadata.name=a,status.phase!=Running');
    const matches = (fields: Record<string, string>) => matchesFieldSelector(selector, (field) => fields[field]);
    expect(matches({ 'metadata.name': 'a' })).toBe(true);
    expect(matches({ 'metadata.name': 'a', 'status.phase': 'Running' })).toBe(false);
    expect(matches({ 'metadata.name': 'b' })).toBe(false);
  });

  it('may have commas, equals signs and backslashes in its values', () => {
    const selector = parseFieldSelector('a=x\\,y\\=z\\\\');
    expect(selector).toEqual([{ field: 'a', operator: '=', value: 'x,y=z\\' }]);
    expect(parseFieldSelector(formatFieldSelector(selector))).toEqual(selector);
  });

  it.each([
    ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(new ApiError(Code.InvalidArgument, message));
  });
});
