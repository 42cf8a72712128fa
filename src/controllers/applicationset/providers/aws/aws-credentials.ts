import { ApiError, Code } from '../../../../base/index.ts';
import type { ProviderRun } from '../open-provider.ts';
import type { AwsAccess } from './aws-api.ts';
import { askContainer, askMachine } from './local-credentials.ts';
import { assumeRole, assumeRoleWithToken } from './role-credentials.ts';
import { noProfiles, readOwnProfile, requireProfile, type AwsProfile, type AwsProfiles } from './shared-config.ts';
import type { AwsCredentials } from './sign-request.ts';

/** Profiles may lead to others; nobody means a longer chain. */
const profilesMax = 5;

/**
 * The credentials of this process, in the order in which clients of AWS look for them: keys in the environment, a token that Kubernetes
 * writes for the pod (web identity), the profile in the files of AWS, the container's own service, that of the machine. With `role` they
 * are traded for those of another role. The region is that of the spec, of the environment or of the profile.
 */
export async function findAwsAccess(run: ProviderRun, spec: { readonly region: string; readonly role: string }): Promise<AwsAccess> {
  const { environment } = run.context;
  const keys = readEnvironment(run);
  const named = spec.region || environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || '';
  // Files are looked into only by those who need something from them.
  const { profiles, own } = keys !== undefined && named !== '' ? noProfiles : await readOwnProfile(environment);
  const region = named || own.get('region') || '';
  if (!/^[a-z0-9-]+$/.test(region)) throw new ApiError(Code.FailedPrecondition, 'the region is not known');
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: arn, AWS_ROLE_SESSION_NAME: session } = environment;
  const findOwn = async (): Promise<AwsCredentials> =>
    file && arn ? assumeRoleWithToken(run, region, { arn, session }, file) : useProfile({ run, region, profiles }, own, profilesMax);
  const credentials = keys ?? (await findOwn());
  return { region, credentials: spec.role === '' ? credentials : await assumeRole(run, region, { arn: spec.role }, credentials) };
}

function readEnvironment({ context: { environment } }: ProviderRun): AwsCredentials | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken = '' } = environment;
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : undefined;
}

interface ProfileScope {
  readonly run: ProviderRun;
  readonly region: string;
  readonly profiles: AwsProfiles;
}

/** The credentials that a profile leads to; those of the container or the machine where it names none. */
async function useProfile(scope: ProfileScope, profile: AwsProfile, left: number): Promise<AwsCredentials> {
  const { run, region } = scope;
  const arn = profile.get('role_arn') ?? '';
  const role = { arn, session: profile.get('role_session_name'), externalId: profile.get('external_id') };
  const file = profile.get('web_identity_token_file');
  if (arn !== '' && file) return assumeRoleWithToken(run, region, role, file);
  if (arn === '') return readKeys(profile) ?? findElsewhere(run, profile);
  return assumeRole(run, region, role, await findSource(scope, profile, left));
}

/** What a profile trades for the credentials of its role. */
async function findSource(scope: ProfileScope, profile: AwsProfile, left: number): Promise<AwsCredentials> {
  const name = profile.get('source_profile');
  if (name !== undefined) {
    if (left === 0) throw new ApiError(Code.FailedPrecondition, 'profiles for AWS lead to each other without an end');
    const source = requireProfile(scope.profiles, name);
    // One that names itself means its own keys.
    return source === profile ? requireKeys(profile) : useProfile(scope, source, left - 1);
  }
  switch (profile.get('credential_source')) {
    case undefined:
      return requireKeys(profile);
    case 'Environment':
      return readEnvironment(scope.run) ?? refuse('the environment has no keys for AWS');
    case 'EcsContainer':
      return (await askContainer(scope.run)) ?? refuse('there is no container that has credentials for AWS');
    case 'Ec2InstanceMetadata':
      return askMachine(scope.run);
    default:
      return refuse('credential_source of a profile for AWS is none of Environment, EcsContainer and Ec2InstanceMetadata');
  }
}

async function findElsewhere(run: ProviderRun, profile: AwsProfile): Promise<AwsCredentials> {
  // A program would run with the rights of this process, and a sign-in needs somebody at a browser.
  for (const field of ['credential_process', 'sso_session', 'sso_start_url'])
    if (profile.has(field)) refuse(`${field} in a profile for AWS is not supported`);
  return (await askContainer(run)) ?? askMachine(run);
}

function readKeys(profile: AwsProfile): AwsCredentials | undefined {
  const [accessKeyId, secretAccessKey] = [profile.get('aws_access_key_id'), profile.get('aws_secret_access_key')];
  return accessKeyId && secretAccessKey
    ? { accessKeyId, secretAccessKey, sessionToken: profile.get('aws_session_token') ?? '' }
    : undefined;
}

function requireKeys(profile: AwsProfile): AwsCredentials {
  return readKeys(profile) ?? refuse('a profile for AWS has a role, and nothing to get it with');
}

function refuse(message: string): never {
  throw new ApiError(Code.FailedPrecondition, message);
}
