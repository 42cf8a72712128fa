import { describe, expect, it } from 'vitest';
import { messageCodec } from './message-codec.ts';

describe('a plugin parameter tells an empty map or list from none', () => {
  const codec = messageCodec('argoproj.v1alpha1.ApplicationSourcePluginParameter');

  // The bytes are those of the stock client's own types.
  it.each([
    [{ name: 'p' }, '0a0170'],
    [{ name: 'p', map: {} }, '0a01701a00'],
    [{ name: 'p', array: [] }, '0a01702200'],
    [{ name: 'p', array: ['', 'b'] }, '0a017022050a000a0162'],
    [{ name: 'p', string: '' }, '0a01702a00'],
  ])('%j', (value, hex) => {
    const encoded = Buffer.from(codec.encode(codec.fromJson(value)));
    expect(encoded.toString('hex')).toBe(hex);
    expect(codec.decode(encoded)).toEqual(value);
    expect(codec.toJson(codec.decode(encoded))).toEqual(value);
  });
});

describe('a resource override holds text in the JSON of clients, and a message elsewhere', () => {
  const codec = messageCodec('argoproj.v1alpha1.ResourceOverride');
  const value = { ignoreDifferences: { jsonPointers: ['/status'] } };
  const shown = {
    ignoreDifferences: '{"jsonPointers":["/status"],"jqPathExpressions":[],"managedFieldsManagers":[]}',
    ignoreResourceUpdates: '{"jsonPointers":[],"jqPathExpressions":[],"managedFieldsManagers":[]}',
  };

  it('is written', () => {
    expect(Buffer.from(codec.encode(value)).toString('hex')).toBe('12090a072f737461747573');
    expect(codec.toJson(value)).toEqual(shown);
  });

  it('is read back', () => {
    expect(codec.fromJson(shown)).toEqual({ ...value, ignoreResourceUpdates: {} });
    expect(codec.fromJson(value)).toEqual(value);
  });

  it('is refused where the text is not JSON', () => {
    expect(() => codec.fromJson({ ignoreDifferences: 'jsonPointers: [' })).toThrow(
      'ignoreDifferences: expected an object, or text that holds its JSON',
    );
  });
});
