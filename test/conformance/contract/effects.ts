/** How it shows that a method did what it was asked for, to somebody who looks afterwards: its answer alone may say anything. */
import type { JsonObject } from '../../../src/contract/index.ts';
import type { ContractAnswer } from '../../support/contract-call.ts';
import { CONTRACT_REQUESTS, nextPassword, PROJECT_TOKEN } from './requests.ts';
import { CONFIG_MAP, type Things } from './things.ts';

/** What there is after a call, and before things are as they were again. */
export interface Aftermath {
  /** What the method was asked about. */
  readonly things: Things;
  /** None of these is there. */
  readonly absent: Things;
  readonly answer: ContractAnswer;
  /** What the method was asked with. */
  readonly token: string | undefined;
  /** Asks another method, as the administrator unless with another token. */
  readonly ask: (path: string, request: JsonObject, token?: string) => Promise<ContractAnswer>;
}

/** Whether it shows already. */
type Effect = (aftermath: Aftermath) => Promise<boolean>;
type Request = (things: Things) => JsonObject;

/** Codes of what is not there: missing, or denied where nobody is told which. */
const GONE: readonly unknown[] = [5, 7];
const FAILED = 2;
const UNAUTHENTICATED = 16;

const spare: Request = ({ spare: name }) => ({ name });
const spareSet: Request = ({ spareSet: name }) => ({ name });
const spareProject: Request = ({ spareProject: name }) => ({ name });
const account: Request = ({ account: name }) => ({ name });
const asUsual = (path: string): Request => CONTRACT_REQUESTS[path]?.request ?? (() => ({}));

const isThere =
  (path: string, request = asUsual(path)): Effect =>
  async ({ things, ask }) =>
    (await ask(path, request(things))).code === 0;
const isGone =
  (path: string, request = asUsual(path)): Effect =>
  async ({ things, ask }) =>
    GONE.includes((await ask(path, request(things))).code);

/** The answer of another method has all of these in it. */
const shows =
  (path: string, parts: (things: Things) => readonly string[], request = asUsual(path)): Effect =>
  async ({ things, ask }) => {
    const { code, text } = await ask(path, request(things));
    return code === 0 && parts(things).every((part) => text.includes(part));
  };
/** It is answered, without this. */
const hides =
  (path: string, part: (things: Things) => string, request = asUsual(path)): Effect =>
  async ({ things, ask }) => {
    const { code, text } = await ask(path, request(things));
    return code === 0 && !text.includes(part(things));
  };
/** Who has the token that was answered is this user. */
const letsIn =
  (username: (things: Things) => string): Effect =>
  async ({ things, answer, ask }) => {
    const { token } = JSON.parse(answer.text) as { token: string };
    const { code, text } = await ask('session.SessionService/GetUserInfo', {}, token);
    return code === 0 && text.includes(`"username":"${username(things)}"`);
  };
/** The same is refused where there is nothing: it does look. */
const refusesAbsent =
  (path: string): Effect =>
  async ({ absent, ask }) =>
    (await ask(path, asUsual(path)(absent))).code === FAILED;

const GET_APPLICATION = 'application.ApplicationService/Get';
const GET_RESOURCE = 'application.ApplicationService/GetResource';
const GET_SET = 'applicationset.ApplicationSetService/Get';
const GET_PROJECT = 'project.ProjectService/Get';
const LIST_CERTIFICATES = 'certificate.CertificateService/ListCertificates';
const LIST_CREDENTIALS = 'repocreds.RepoCredsService/ListRepositoryCredentials';
const LIST_WRITE_CREDENTIALS = 'repocreds.RepoCredsService/ListWriteRepositoryCredentials';
const GET_REPOSITORY = 'repository.RepositoryService/Get';
const GET_WRITE_REPOSITORY = 'repository.RepositoryService/GetWrite';

const urlOf = ({ credentials }: Things): string => `"url":"${credentials}"`;
const configMap: Request = ({ app, namespace }) => {
  const [, kind, resourceName] = CONFIG_MAP;
  return { name: app, namespace, version: 'v1', kind, resourceName };
};

export const EFFECTS: Readonly<Record<string, Effect>> = {
  'account.AccountService/UpdatePassword': isThere('session.SessionService/Create', (things) => ({
    username: things.account,
    password: nextPassword(things),
  })),
  'account.AccountService/CreateToken': letsIn((things) => things.account),
  'account.AccountService/DeleteToken': hides('account.AccountService/GetAccount', ({ accountToken }) => accountToken, account),

  'application.ApplicationService/Create': isThere(GET_APPLICATION, spare),
  'application.ApplicationService/Update': shows(GET_APPLICATION, () => ['"updated":"yes"', '"targetRevision":"main"'], spare),
  'application.ApplicationService/UpdateSpec': shows(GET_APPLICATION, () => ['"targetRevision":"main"'], spare),
  'application.ApplicationService/Patch': shows(GET_APPLICATION, () => ['"patched":"yes"'], spare),
  'application.ApplicationService/Delete': isGone(GET_APPLICATION, spare),
  'application.ApplicationService/Sync': shows(GET_APPLICATION, () => ['"dryRun":true', '"phase":"Succeeded"'], spare),
  'application.ApplicationService/Rollback': shows(GET_APPLICATION, () => ['"dryRun":true', '"phase":"Succeeded"']),
  'application.ApplicationService/PatchResource': shows(GET_RESOURCE, () => [String.raw`\"patched\":\"yes\"`]),
  'application.ApplicationService/RunResourceAction': shows(GET_RESOURCE, () => [String.raw`\"paused\":true`]),
  'application.ApplicationService/RunResourceActionV2': shows(GET_RESOURCE, () => [String.raw`\"paused\":true`]),
  'application.ApplicationService/DeleteResource': async ({ things, ask }) => (await ask(GET_RESOURCE, configMap(things))).code !== 0,

  'applicationset.ApplicationSetService/Create': isThere(GET_SET, spareSet),
  'applicationset.ApplicationSetService/Delete': isGone(GET_SET, spareSet),

  'certificate.CertificateService/CreateCertificate': shows(LIST_CERTIFICATES, ({ host }) => [host]),
  'certificate.CertificateService/DeleteCertificate': hides(LIST_CERTIFICATES, ({ host }) => host),

  'cluster.ClusterService/Create': isThere('cluster.ClusterService/Get'),
  'cluster.ClusterService/Update': shows('cluster.ClusterService/Get', () => ['"tier":"gold"']),
  'cluster.ClusterService/Delete': isGone('cluster.ClusterService/Get'),

  'gpgkey.GPGKeyService/Create': isThere('gpgkey.GPGKeyService/Get'),
  'gpgkey.GPGKeyService/Delete': isGone('gpgkey.GPGKeyService/Get'),

  'project.ProjectService/CreateToken': letsIn((things) => `proj:${things.spareProject}:dev`),
  'project.ProjectService/DeleteToken': hides(GET_PROJECT, () => PROJECT_TOKEN.id, spareProject),
  'project.ProjectService/Create': isThere(GET_PROJECT, spareProject),
  'project.ProjectService/Update': shows(GET_PROJECT, () => ['"description":"changed"'], spareProject),
  'project.ProjectService/Delete': isGone(GET_PROJECT, spareProject),

  'repocreds.RepoCredsService/CreateRepositoryCredentials': shows(LIST_CREDENTIALS, (things) => [urlOf(things)]),
  'repocreds.RepoCredsService/CreateWriteRepositoryCredentials': shows(LIST_WRITE_CREDENTIALS, (things) => [urlOf(things)]),
  'repocreds.RepoCredsService/UpdateRepositoryCredentials': shows(LIST_CREDENTIALS, () => ['"username":"other-robot"']),
  'repocreds.RepoCredsService/UpdateWriteRepositoryCredentials': shows(LIST_WRITE_CREDENTIALS, () => ['"username":"other-robot"']),
  'repocreds.RepoCredsService/DeleteRepositoryCredentials': hides(LIST_CREDENTIALS, urlOf),
  'repocreds.RepoCredsService/DeleteWriteRepositoryCredentials': hides(LIST_WRITE_CREDENTIALS, urlOf),

  'repository.RepositoryService/Create': isThere(GET_REPOSITORY),
  'repository.RepositoryService/CreateRepository': isThere(GET_REPOSITORY),
  'repository.RepositoryService/CreateWriteRepository': isThere(GET_WRITE_REPOSITORY),
  'repository.RepositoryService/Update': shows(GET_REPOSITORY, () => ['"name":"renamed"']),
  'repository.RepositoryService/UpdateRepository': shows(GET_REPOSITORY, () => ['"name":"renamed"']),
  'repository.RepositoryService/UpdateWriteRepository': shows(GET_WRITE_REPOSITORY, () => ['"name":"renamed"']),
  'repository.RepositoryService/Delete': isGone(GET_REPOSITORY),
  'repository.RepositoryService/DeleteRepository': isGone(GET_REPOSITORY),
  'repository.RepositoryService/DeleteWriteRepository': isGone(GET_WRITE_REPOSITORY),
  'repository.RepositoryService/ValidateAccess': refusesAbsent('repository.RepositoryService/ValidateAccess'),
  'repository.RepositoryService/ValidateWriteAccess': refusesAbsent('repository.RepositoryService/ValidateWriteAccess'),

  'session.SessionService/Delete': async ({ token, ask }) =>
    (await ask('application.ApplicationService/List', {}, token)).code === UNAUTHENTICATED,
};
