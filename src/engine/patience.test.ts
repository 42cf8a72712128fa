import { expect, it } from 'vitest';
import { Patience } from './patience.ts';

it('JQ-01, JQ-04: a rule that goes too far three times in a row is tried once in a hundred times, until it does not', () => {
  const patience = new Patience();
  let tries = 0;
  const call = (goesTooFar: boolean): void => {
    if (!patience.mayTry()) return;
    tries += 1;
    patience.note(goesTooFar);
  };
  for (let round = 0; round < 203; round += 1) call(true);
  expect(tries).toBe(5);
  for (let round = 0; round < 100; round += 1) call(false);
  for (let round = 0; round < 10; round += 1) call(false);
  expect(tries).toBe(16);
  call(true);
  call(false);
  call(true);
  expect(patience.mayTry()).toBe(true);
});
