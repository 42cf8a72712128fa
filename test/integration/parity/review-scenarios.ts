import type { ResourceType } from '../../../src/kube/index.ts';
import type { Scenario } from './object-scenarios.ts';
import type { Session } from './session.ts';

function review(group: string, plural: string, kind: string, namespaced = false): ResourceType {
  return { group: `${group}.k8s.io`, version: 'v1', plural, kind, namespaced };
}

const own = review('authorization', 'selfsubjectaccessreviews', 'SelfSubjectAccessReview');
const subject = review('authorization', 'subjectaccessreviews', 'SubjectAccessReview');
const local = review('authorization', 'localsubjectaccessreviews', 'LocalSubjectAccessReview', true);
const rules = review('authorization', 'selfsubjectrulesreviews', 'SelfSubjectRulesReview');
const self = review('authentication', 'selfsubjectreviews', 'SelfSubjectReview');
const token = review('authentication', 'tokenreviews', 'TokenReview');

/** What every API must answer alike to questions, of which nothing is kept. */
export const reviewScenarios: readonly Scenario[] = [
  [
    'answers who may do what',
    async ({ note, create, namespace }) => {
      const ask = (type: ResourceType, spec: object, metadata: object = {}) =>
        create(type, { apiVersion: `${type.group}/v1`, kind: type.kind, metadata, spec });
      const resourceAttributes = { verb: 'get', resource: 'pods' };
      const nonResourceAttributes = { verb: 'get', path: '/healthz' };
      await note('own, a resource', ask(own, { resourceAttributes }));
      await note('own, a path', ask(own, { nonResourceAttributes }));
      await note('own, nothing', ask(own, {}));
      await note('own, both', ask(own, { resourceAttributes, nonResourceAttributes }));
      await note('nobody', ask(subject, { user: 'nobody', resourceAttributes }));
      await note('an administrator', ask(subject, { user: 'somebody', groups: ['system:masters'], resourceAttributes }));
      await note('no user', ask(subject, { resourceAttributes }));
      await note('in a namespace', ask(local, { user: 'nobody', resourceAttributes: { ...resourceAttributes, namespace } }));
      await note('in another', ask(local, { user: 'nobody', resourceAttributes: { ...resourceAttributes, namespace: 'other' } }));
      await note('rules without a namespace', ask(rules, {}));
      await note('rules', ask(rules, { namespace }).then(widestRules));
    },
  ],
  [
    'answers who somebody is',
    async ({ note, create }) => {
      const ask = (type: ResourceType, spec?: object) =>
        create(type, { apiVersion: `${type.group}/v1`, kind: type.kind, metadata: {}, ...(spec && { spec }) });
      await note('self', ask(self).then(withoutCredential));
      await note('a bad token', ask(token, { token: 'abc' }));
      await note('no token', ask(token, {}));
    },
  ],
];

type Answer = Awaited<ReturnType<Session['create']>>;

/** A cluster also lists what everybody may do anyhow. */
function widestRules(answer: Answer): unknown {
  const { resourceRules = [], nonResourceRules = [], incomplete } = answer['status'] as unknown as Rules;
  const isWide = ({ verbs }: Rule): boolean => verbs.includes('*');
  return {
    ...answer,
    status: { resourceRules: resourceRules.filter(isWide), nonResourceRules: nonResourceRules.filter(isWide), incomplete },
  };
}

interface Rule {
  readonly verbs: readonly string[];
}

interface Rules {
  readonly resourceRules?: readonly Rule[];
  readonly nonResourceRules?: readonly Rule[];
  readonly incomplete: boolean;
}

/** Which certificate somebody came with differs from which token. */
function withoutCredential(answer: Answer): unknown {
  const { userInfo } = answer['status'] as unknown as { userInfo: { extra?: unknown } };
  const { extra: _extra, ...rest } = userInfo;
  return { ...answer, status: { userInfo: rest } };
}
