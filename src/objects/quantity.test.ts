import { assert, bigInt, constantFrom, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addQuantities, compareQuantities, formatQuantity, parseQuantity, QuantityError, quantityToInteger } from './quantity.ts';

const canonical = (text: string | number) => formatQuantity(parseQuantity(text));
const quantities = tuple(
  bigInt(-(10n ** 12n), 10n ** 12n),
  constantFrom('', 'm', 'u', 'n', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'e-3'),
).map(([digits, suffix]) => `${digits}${suffix}`);

describe('quantities', () => {
  it.each([
    ['0', '0'],
    ['1.5', '1500m'],
    ['1.5Gi', '1536Mi'],
    ['1024Mi', '1Gi'],
    ['0.5Ki', '512'],
    ['1000', '1k'],
    ['1000000n', '1m'],
    ['100m', '100m'],
    ['1.500', '1.500'],
    ['0.100', '100m'],
    ['1e3', '1e3'],
    ['10e1', '100'],
    ['-2500m', '-2500m'],
    ['0.0000000001', '1n'],
    ['-0.0000000001', '-1n'],
    ['16Ei', '9223372036854775807'],
    ['9223372036854775808', '9223372036854775808'],
    ['1000E', '1e21'],
    [3, '3'],
    [0.25, '250m'],
  ])('%s is written %s', (given, expected) => {
    expect(canonical(given)).toBe(expected);
  });

  it.each([
    ['', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1 Gi', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1.2.3', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1ki', "unable to parse quantity's suffix"],
    ['1e', "unable to parse quantity's suffix"],
    ['1e999999999', "unable to parse quantity's suffix"],
    ['Ei', 'unable to parse numeric part of quantity'],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parseQuantity(text)).toThrow(new QuantityError(message));
  });

  it('are equal whenever the amounts are', () => {
    expect(compareQuantities(parseQuantity('1Gi'), parseQuantity('1073741824'))).toBe(0);
    expect(compareQuantities(parseQuantity('0.1'), parseQuantity('100m'))).toBe(0);
    expect(compareQuantities(parseQuantity('1G'), parseQuantity('1Gi'))).toBeLessThan(0);
  });

  it('survive being written and read', () => {
    assert(
      property(quantities, (text) => {
        const quantity = parseQuantity(text);
        const again = parseQuantity(formatQuantity(quantity));
        expect(compareQuantities(quantity, again)).toBe(0);
        expect(formatQuantity(again)).toBe(formatQuantity(quantity));
      }),
    );
  });

  it('add up without loss', () => {
    assert(
      property(quantities, quantities, (left, right) => {
        const [own, other] = [parseQuantity(left), parseQuantity(right)];
        expect(compareQuantities(addQuantities(own, other), addQuantities(other, own))).toBe(0);
        expect(Math.sign(compareQuantities(addQuantities(own, other), own))).toBe(other.digits > 0n ? 1 : other.digits < 0n ? -1 : 0);
      }),
    );
    expect(formatQuantity(addQuantities(parseQuantity('100m'), parseQuantity('900m')))).toBe('1');
    expect(formatQuantity(addQuantities(parseQuantity('0'), parseQuantity('1Gi')))).toBe('1Gi');
  });

  it('round up to integers, away from zero', () => {
    assert(
      property(integer(), (whole) => {
        expect(quantityToInteger(parseQuantity(whole))).toBe(BigInt(whole));
      }),
    );
    expect(quantityToInteger(parseQuantity('1001m'))).toBe(2n);
    expect(quantityToInteger(parseQuantity('-1001m'))).toBe(-2n);
    expect(quantityToInteger(parseQuantity('2Ki'))).toBe(2048n);
  });
});
