/** What policies can be about. */
export const policyResources = [
  'clusters',
  'projects',
  'applications',
  'applicationsets',
  'repositories',
  'write-repositories',
  'certificates',
  'accounts',
  'gpgkeys',
  'logs',
  'exec',
  'extensions',
] as const;

export const policyActions = ['get', 'create', 'update', 'delete', 'sync', 'override', 'action', 'invoke'] as const;
