import { refuse } from './check-credentials.ts';
import type { ExecPlugin } from './credentials.ts';
import type { Fields } from './fields.ts';

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'] as const;

/** The parts of an exec plugin that every configuration spells alike. */
export function readExecPlugin(fields: Fields, env: ExecPlugin['env']): ExecPlugin {
  const command = fields.text('command') ?? refuse('the exec plugin names no command');
  const installHint = fields.text('installHint');
  return {
    apiVersion: readVersion(fields.text('apiVersion')),
    command,
    args: fields.texts('args'),
    env,
    ...(installHint !== undefined && { installHint }),
    provideClusterInfo: fields.flag('provideClusterInfo'),
  };
}

function readVersion(text: string | undefined): ExecPlugin['apiVersion'] {
  return VERSIONS.find((version) => version === text) ?? refuse(`the exec plugin's apiVersion is none of ${VERSIONS.join(', ')}`);
}
