import { expect, it } from 'vitest';
import { readRenderPauses } from './render-pauses.ts';

it('takes what is given, and nothing else', () => {
  expect(
    readRenderPauses({
      ARGOCD_PAUSE_GEN_AFTER_FAILED_ATTEMPTS: '0',
      ARGOCD_PAUSE_GEN_MINUTES: '60',
      ARGOCD_PAUSE_GEN_REQUESTS: '5',
    }),
  ).toEqual({ failuresFree: 0, failureForgetMs: 3_600_000, failureAnswersMax: 5 });
  expect(readRenderPauses({ ARGOCD_EXEC_TIMEOUT: '2m30s' })).toEqual({ toolMs: 150_000 });
  for (const text of ['', '0', '5', 'soon', '1ms', '100h']) expect(readRenderPauses({ ARGOCD_EXEC_TIMEOUT: text })).toEqual({});
  expect(readRenderPauses({})).toEqual({});
  expect(readRenderPauses({ ARGOCD_PAUSE_GEN_MINUTES: '-1', ARGOCD_PAUSE_GEN_REQUESTS: 'many' })).toEqual({});
});
