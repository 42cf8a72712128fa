import { describe, expect, it } from 'vitest';
import { Code } from '../../../base/index.ts';
import { checkClientVersion } from './client-version.ts';

describe('checkClientVersion', () => {
  it.each([
    undefined,
    'curl/8.0',
    'argocd-client/v3.5.6 grpc-go/1.73.0',
    'argocd-client/1.4.0',
    'argocd-client/1.4.0-rc1',
    'argocd-client/v2+unknown',
    'argocd-client/10.0.0',
    'grpc-go/1.73.0',
    'x grpc-go/1.15.0',
  ])('lets %s pass', (agent) => {
    expect(() => checkClientVersion(agent)).not.toThrow();
  });

  it.each(['argocd-client/1.3.9', 'argocd-client/v0.12.3 grpc-go/1.15.0', 'grpc-go/1.15.0', 'grpc-go/1.10.0'])('turns %s away', (agent) => {
    expect(() => checkClientVersion(agent)).toThrow(
      expect.objectContaining({
        code: Code.FailedPrecondition,
        message: expect.stringMatching(/^unsatisfied client version constraint: /) as string,
      }),
    );
  });

  it.each(['argocd-client/', 'argocd-client/latest', 'argocd-client/1.x'])('cannot read %s', (agent) => {
    expect(() => checkClientVersion(agent)).toThrow(
      expect.objectContaining({
        code: Code.InvalidArgument,
        message: expect.stringMatching(/^could not parse version from user-agent: /) as string,
      }),
    );
  });
});
