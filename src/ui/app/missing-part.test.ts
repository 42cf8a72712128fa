import { describe, expect, it } from 'vitest';
import { isMissingPart } from './missing-part.ts';

describe('a part of the interface that did not come', () => {
  it.each([
    'Failed to fetch dynamically imported module: https://fairway.example/assets/logs-1a2b.js',
    'error loading dynamically imported module: https://fairway.example/assets/logs-1a2b.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /assets/logs-1a2b.css',
  ])('is known by %j', (message) => {
    expect(isMissingPart(new TypeError(message))).toBe(true);
  });

  it('is no other failure', () => {
    expect(isMissingPart(new Error('the server cannot be reached'))).toBe(false);
    expect(isMissingPart('Importing a module script failed.')).toBe(false);
  });
});
