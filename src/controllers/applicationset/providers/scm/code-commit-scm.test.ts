import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkAwsSignature } from '../../../../../test/support/provider-stubs/check-aws-signature.ts';
import { startCodeCommitStub } from '../../../../../test/support/provider-stubs/code-commit-stub.ts';
import { openProviderScene, type ProviderScene } from '../../../../../test/support/provider-stubs/provider-scene.ts';
import { startProviderStub, type ProviderStub } from '../../../../../test/support/provider-stubs/provider-stub.ts';
import { world } from '../../../../../test/support/provider-stubs/stub-world.ts';
import { createRenderText } from '../../templates/render-text.ts';
import { createProviderGenerators, type ProviderOptions } from '../index.ts';

let scene: ProviderScene<ProviderOptions>;
let stub: ProviderStub;
let folder: string;

const keys = { OWN: 'own-secret', ROLE: 'role-secret' };
const role = { accessKeyId: 'ROLE', secretAccessKey: 'role-secret', sessionToken: 'role-session' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'code-commit-'));
  scene = await openProviderScene<ProviderOptions>({ createGenerators: createProviderGenerators as never, createRenderText });
});

afterEach(() => stub.close());

afterAll(async () => {
  await scene.close();
  await rm(folder, { recursive: true });
});

async function start(checked = world): Promise<void> {
  stub = await startCodeCommitStub(checked, {
    role,
    checkSignature: (request) =>
      request.body.includes('AssumeRoleWithWebIdentity') ? undefined : checkAwsSignature(request, keys, Date.now()),
  });
}

const ownKeys = { AWS_ACCESS_KEY_ID: 'OWN', AWS_SECRET_ACCESS_KEY: 'own-secret' };

function ask(block: object = {}, spec: object = {}, environment: Record<string, string> = ownKeys) {
  const options = { environment: { AWS_ENDPOINT_URL: stub.url, ...environment }, limits: { attemptsMax: 1 } };
  return scene.generate('scmProvider', { awsCodeCommit: { region: 'eu-west-1', ...block }, ...spec }, { goTemplate: true, options });
}

const repositoriesOf = (sets: Record<string, unknown>[]): unknown[] => sets.map(({ repository }) => repository);

describe('The repositories of CodeCommit', () => {
  it('are listed over all pages, with signed requests', async () => {
    await start();
    const sets = await ask();
    expect(repositoriesOf(sets)).toEqual(['shop', 'api', 'attic', 'tools', 'worker']);
    expect(sets[0]).toMatchObject({
      organization: '123456789012',
      repository_id: 'id-101',
      url: 'ssh://git-codecommit.eu-west-1.amazonaws.com/v1/repos/shop',
      branch: 'main',
      sha: '',
      short_sha: '',
    });
    expect(stub.requests[0]?.headers['x-amz-target']).toBe('CodeCommit_20150413.ListRepositories');
  });

  it('are cloned as the protocol says', async () => {
    await start();
    const first = async (cloneProtocol: string) => (await ask({}, { cloneProtocol }))[0]?.['url'];
    expect(await first('https')).toBe('https://git-codecommit.eu-west-1.amazonaws.com/v1/repos/shop');
    expect(await first('https-fips')).toBe('https://git-codecommit-fips.eu-west-1.amazonaws.com/v1/repos/shop');
    await expect(first('ftp')).rejects.toThrow('unknown clone protocol for codecommit ftp');
  });

  it('are found by tags, with all branches, and by paths', async () => {
    await start();
    const tagFilters = [
      { key: 'team', value: 'team-a' },
      { key: 'team', value: 'team-b' },
    ];
    expect(repositoriesOf(await ask({ tagFilters }))).toEqual(['shop', 'api', 'worker']);
    expect(JSON.parse(stub.requests[0]?.body ?? '{}')).toEqual({
      ResourceTypeFilters: ['codecommit:repository'],
      TagFilters: [{ Key: 'team', Values: ['team-a', 'team-b'] }],
    });
    const branches = (await ask({ allBranches: true })).filter(({ repository }) => repository === 'shop').map(({ branch }) => branch);
    expect(branches).toEqual(['main', 'feature/one', 'old']);
    const filtered = async (filter: object) => repositoriesOf(await ask({}, { filters: [filter] }));
    expect(await filtered({ pathsExist: ['deploy/app.yaml'] })).toEqual(['shop', 'api', 'worker']);
    expect(await filtered({ pathsExist: ['deploy/'] })).toEqual(['shop', 'api', 'worker']);
    expect(await filtered({ pathsDoNotExist: ['/deploy/app.yaml'] })).toEqual(['attic', 'tools']);
  });

  it('leave out those that nobody has pushed to', async () => {
    await start({ ...world, repositories: [{ name: 'empty', id: 1, branches: {} }, ...world.repositories] });
    expect(repositoriesOf(await ask())).toHaveLength(5);
  });

  it('fail as a whole where any one answer fails', async () => {
    await start();
    await ask();
    const count = stub.requests.length;
    for (let broken = 0; broken < count; broken++) {
      const first = stub.requests.length;
      const trouble =
        broken % 2 === 0 ? { status: 200, body: '{}' } : { status: 400, body: '{"__type":"RepositoryDoesNotExistException"}' };
      stub.trouble = (_request, index) => (index === first + broken ? trouble : undefined);
      const limits = { parallelMax: 1, attemptsMax: 1 };
      const options = { environment: { AWS_ENDPOINT_URL: stub.url, ...ownKeys }, limits };
      await expect(scene.generate('scmProvider', { awsCodeCommit: { region: 'eu-west-1' } }, { options })).rejects.toThrow(
        /codecommit repository|otherwise/,
      );
    }
  });
});

describe('The credentials for AWS', () => {
  it('are traded for those of a role', async () => {
    await start();
    expect(repositoriesOf(await ask({ role: 'arn:aws:iam::123456789012:role/reader' }))).toHaveLength(5);
    expect(new URLSearchParams(stub.requests[0]?.body).get('RoleArn')).toBe('arn:aws:iam::123456789012:role/reader');
    expect(stub.requests[1]?.headers).toMatchObject({ 'x-amz-security-token': 'role-session' });
    expect(stub.requests[1]?.headers.authorization).toContain('Credential=ROLE/');
  });

  it('may be those of a pod, by its token', async () => {
    await start();
    const file = join(folder, 'token');
    await writeFile(file, 'web-identity\n');
    const environment = { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: 'arn:aws:iam::1:role/pod', AWS_REGION: 'eu-west-1' };
    expect(repositoriesOf(await ask({ region: undefined }, {}, environment))).toHaveLength(5);
    expect(new URLSearchParams(stub.requests[0]?.body).get('WebIdentityToken')).toBe('web-identity');
  });

  it('may be those of a container, from its own service', async () => {
    await start();
    const service = await startProviderStub(({ headers }) =>
      headers.authorization === 'container-token'
        ? { body: { AccessKeyId: 'OWN', SecretAccessKey: 'own-secret', Token: 'container-session' } }
        : { status: 401 },
    );
    const environment = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${service.url}/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'container-token',
    };
    expect(repositoriesOf(await ask({}, {}, environment))).toHaveLength(5);
    await service.close();
  });

  it('may be those of the machine, from its own service', async () => {
    await start();
    const service = await startProviderStub(({ method, path, headers }) => {
      const place = path.slice(1).join('/');
      if (method === 'PUT' && place === 'api/token') return { body: 'machine-token' };
      if (headers['x-aws-ec2-metadata-token'] !== '"machine-token"') return { status: 401 };
      const credentials = { AccessKeyId: 'OWN', SecretAccessKey: 'own-secret', Token: 'machine-session' };
      return place.endsWith('security-credentials/') ? { body: 'node' } : { body: credentials };
    });
    expect(repositoriesOf(await ask({}, {}, { AWS_EC2_METADATA_SERVICE_ENDPOINT: service.url }))).toHaveLength(5);
    expect(stub.requests[0]?.headers['x-amz-security-token']).toBe('machine-session');
    await service.close();
    await expect(ask({}, {}, { AWS_EC2_METADATA_SERVICE_ENDPOINT: service.url })).rejects.toThrow('no credentials for AWS');
  });

  describe('in the files of AWS', () => {
    const write = async (files: { config?: string; credentials?: string }, environment: Record<string, string> = {}) => {
      const home = await mkdtemp(join(folder, 'home-'));
      await mkdir(join(home, '.aws'));
      for (const [name, text] of Object.entries(files)) await writeFile(join(home, '.aws', name), text);
      return { HOME: home, AWS_EC2_METADATA_DISABLED: 'true', ...environment };
    };
    const keyLines = 'aws_access_key_id = OWN ; a comment\naws_secret_access_key=own-secret\n';
    const noRegion = { region: undefined };

    it('are those of the profile that is named, with its region', async () => {
      await start();
      const config = '# mine\n[default]\nregion = eu-west-1\ns3 =\n  region = nowhere\n[profile work]\nregion = eu-west-1\n';
      const files = { config, credentials: `[default]\n${keyLines}[work]\n${keyLines}aws_session_token = work-session\n` };
      expect(repositoriesOf(await ask(noRegion, {}, await write(files)))).toHaveLength(5);
      expect(repositoriesOf(await ask(noRegion, {}, await write(files, { AWS_PROFILE: 'work' })))).toHaveLength(5);
      expect(stub.requests.at(-1)?.headers['x-amz-security-token']).toBe('work-session');
      await expect(ask({}, {}, await write(files, { AWS_PROFILE: 'other' }))).rejects.toThrow('there is no profile "other" for AWS');
    });

    it('may be in other places, and come after those of the environment', async () => {
      await start();
      const { HOME } = await write({ credentials: `[default]\n${keyLines.replace('own-secret', 'wrong')}` });
      const other = await write({ credentials: `[default]\n${keyLines}` });
      const file = join(other.HOME, '.aws', 'credentials');
      expect(repositoriesOf(await ask({}, {}, { HOME, AWS_SHARED_CREDENTIALS_FILE: file }))).toHaveLength(5);
      expect(repositoriesOf(await ask({}, {}, { HOME, ...ownKeys }))).toHaveLength(5);
    });

    it('are traded for those of a role, with those of another profile, with its own or with a token', async () => {
      await start();
      const token = join(folder, 'profile-token');
      await writeFile(token, 'web-identity\n');
      const role = 'role_arn = arn:aws:iam::1:role/reader\nexternal_id = 7\nrole_session_name = me\n';
      const config = [
        `[profile base]\n${keyLines}`,
        `[profile chained]\n${role}source_profile = base\n`,
        `[profile own]\n${role}source_profile = own\n${keyLines}`,
        `[profile token]\n${role}web_identity_token_file = ${token}\n`,
      ].join('');
      for (const name of ['chained', 'own', 'token']) {
        const first = stub.requests.length;
        expect(repositoriesOf(await ask({}, {}, await write({ config }, { AWS_PROFILE: name })))).toHaveLength(5);
        const asked = new URLSearchParams(stub.requests[first]?.body);
        expect([asked.get('RoleArn'), asked.get('ExternalId'), asked.get('RoleSessionName')]).toEqual([
          'arn:aws:iam::1:role/reader',
          '7',
          'me',
        ]);
        expect(stub.requests[first + 1]?.headers).toMatchObject({ 'x-amz-security-token': 'role-session' });
      }
    });

    it.each([
      ['[default]\nrole_arn = a\nsource_profile = b\n[profile b]\nrole_arn = b\nsource_profile = default\n', 'lead to each other'],
      ['[default]\nrole_arn = a\nsource_profile = none\n', 'there is no profile "none" for AWS'],
      ['[default]\nrole_arn = a\n', 'nothing to get it with'],
      ['[default]\nrole_arn = a\ncredential_source = Environment\n', 'the environment has no keys for AWS'],
      ['[default]\nrole_arn = a\ncredential_source = EcsContainer\n', 'there is no container'],
      ['[default]\nrole_arn = a\ncredential_source = Else\n', 'credential_source of a profile for AWS is none of'],
      ['[default]\ncredential_process = /bin/sh -c id\n', 'credential_process in a profile for AWS is not supported'],
      ['[default]\nsso_session = x\n', 'sso_session in a profile for AWS is not supported'],
      ['', 'no credentials for AWS'],
    ])('are refused as %j', async (config, message) => {
      await start();
      await expect(ask({}, {}, await write({ config }))).rejects.toThrow(message);
    });
  });

  it('are not waited for where the service of the machine does not answer', async () => {
    await start();
    const service = await startProviderStub(() => ({ body: 'token' }));
    service.trouble = () => ({ hang: true });
    const startedMs = performance.now();
    await expect(ask({}, {}, { AWS_EC2_METADATA_SERVICE_ENDPOINT: service.url })).rejects.toThrow('no credentials for AWS');
    expect(performance.now() - startedMs).toBeLessThan(30_000);
    await service.close();
  }, 60_000);

  it('must be there, must be right, and appear nowhere', async () => {
    await start();
    await expect(ask({}, {}, { AWS_EC2_METADATA_DISABLED: 'true' })).rejects.toThrow(
      'error initializing AWS codecommit service: no credentials for AWS',
    );
    await expect(ask({ region: undefined })).rejects.toThrow('the region is not known');
    const wrong = await ask({}, {}, { AWS_ACCESS_KEY_ID: 'OWN', AWS_SECRET_ACCESS_KEY: 'another-secret' }).catch((error: unknown) => error);
    expect(String(wrong)).toContain('failed to list codecommit repository: POST ');
    expect(String(wrong)).toContain('403 Forbidden: the signature does not match');
    expect(String(wrong)).not.toContain('another-secret');
  });
});
