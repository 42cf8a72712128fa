import { expect, it } from 'vitest';
import { findOnlyImage } from './open-image.ts';

const INDEX = 'application/vnd.oci.image.index.v1+json';
const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;
const find = (index: unknown, mediaType = INDEX) => findOnlyImage({ body: Buffer.from(JSON.stringify(index)), mediaType });
const image = { digest: digest('a'), mediaType: 'application/vnd.oci.image.manifest.v1+json' };
const statement = { digest: digest('b'), annotations: { 'vnd.docker.reference.type': 'attestation-manifest' } };

it('is the one that an index has, whatever is said about it there', () => {
  expect(find({ manifests: [image] })).toBe(digest('a'));
  expect(find({ mediaType: INDEX, manifests: [image, statement] }, '')).toBe(digest('a'));
  expect(find({ manifests: [image] }, 'application/vnd.docker.distribution.manifest.list.v2+json')).toBe(digest('a'));
});

it.each<[string, unknown]>([
  ['several', { manifests: [image, { digest: digest('c') }] }],
  ['none', { manifests: [statement] }],
  ['nothing', {}],
  ['one without a digest', { manifests: [{}] }],
  ['one with another digest', { manifests: [{ digest: '../../x' }] }],
  ['no object', []],
])('is none in an index with %s', (_what, index) => expect(find(index)).toBeUndefined());

it('is none in what is no index', () => {
  expect(find({ mediaType: 'application/vnd.oci.image.manifest.v1+json', manifests: [image] })).toBeUndefined();
});
