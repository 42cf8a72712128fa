import { describe, expect, it } from 'vitest';
import { isConstraint, isVersion, pickVersion } from './pick-version.ts';

const tags = ['v0.0.3', '0.2.3', '0.2.9', '1.0.0', 'v1.2.3', '1.2.9', '1.3.0', '1.10.0', '2.0.0-rc.1', '2.0.0', '3.0.0-alpha', 'latest'];

describe('a range of versions', () => {
  it.each([
    ['*', '2.0.0'],
    ['1.*', '1.10.0'],
    ['1.2.x', '1.2.9'],
    ['~1.2.3', '1.2.9'],
    ['~1', '1.10.0'],
    ['^1.2', '1.10.0'],
    ['^0.2.3', '0.2.9'],
    ['^0.0.3', 'v0.0.3'],
    ['^0', '0.2.9'],
    ['>=1.0.0 <1.3.0', '1.2.9'],
    ['>=1.0.0, <1.3.0', '1.2.9'],
    ['>1', '2.0.0'],
    ['<=1', '1.10.0'],
    ['<=1.2', '1.2.9'],
    ['!=2.0.0', '1.10.0'],
    ['!=2.x', '1.10.0'],
    ['1.0 - 1.3', '1.3.0'],
    ['<0.1 || ~1.2', '1.2.9'],
    ['>=2.0.0-0', '3.0.0-alpha'],
    ['*-0', '3.0.0-alpha'],
    ['<2.0.0-rc.2 >1.10.0-0', '2.0.0-rc.1'],
    ['>=4', undefined],
  ])('%s picks %s', (constraint, picked) => expect(pickVersion(constraint, tags)).toBe(picked));

  it.each(['main', 'HEAD', 'release-1.x', '1.2.3.4', '', '>', 'v', '>=a', '1..2', `1.${'0'.repeat(300)}`])('is not %s', (text) =>
    expect(isConstraint(text)).toBe(false),
  );
});

describe('a version', () => {
  it.each(['v1', '1.2', '1.2.3', 'v1.2.3-rc.1+build.7'])('is %s', (text) => expect(isVersion(text)).toBe(true));
  it.each(['1.*', '~1.2', 'v', '1.2.3-', '01a'])('is not %s', (text) => expect(isVersion(text)).toBe(false));
});
