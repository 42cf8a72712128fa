import { describe, expect, it } from 'vitest';
import { parseRegistryEntry } from './registry-entry.ts';

const digest = `sha256:${'a'.repeat(64)}`;

describe('what an index says of a chart in a registry', () => {
  it.each([
    ['oci://example.com/charts/shop:1.0.0', { url: 'oci://example.com/charts', name: 'shop', reference: '1.0.0' }],
    ['oci://example.com:5000/shop', { url: 'oci://example.com:5000', name: 'shop', reference: '' }],
    [`oci://example.com/charts/shop@${digest}`, { url: 'oci://example.com/charts', name: 'shop', reference: digest }],
    [`oci://example.com/a/b/shop:1.0.0@${digest}`, { url: 'oci://example.com/a/b', name: 'shop', reference: digest }],
    ['oci://example.com:5000', undefined],
    ['oci://example.com/charts/', undefined],
    ['oci://example.com/shop:1.0.0?x=y', undefined],
    ['https://example.com/shop-1.0.0.tgz', undefined],
  ])('%s', (address, expected) => expect(parseRegistryEntry(address)).toEqual(expected));
});
