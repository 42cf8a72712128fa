import { formatTime, invalidValue, statusError, trackUpdate, withManagedFields } from '../../objects/index.ts';
import type { FieldError, JsonObject } from '../../objects/index.ts';
import { listAt, objectAt, textAt, valueAt } from '../json-path.ts';
import type { Kind } from '../kinds/kind.ts';
import { objectInvalid } from '../refusals.ts';
import { DEFAULT_FIELD_MANAGER } from '../verbs/create.ts';
import { decodeInput, metadataOf, withMetadata } from '../verbs/decode-input.ts';
import type { EmbeddedWriteOptions } from '../verbs/verb-context.ts';

const ADMINISTRATORS = 'system:masters';
const EVERYONE = 'system:authenticated';

/** Who a review is about, where it is about the one who asks, and how a token is looked at. */
export interface Reviewer {
  readonly username: string;
  readonly groups: readonly string[];
  /** The user of a token; undefined where it is none of ours. */
  readonly findUser?: (token: string) => Promise<{ readonly username: string; readonly groups: readonly string[] } | undefined>;
}

/** This process, which may do everything. */
const OWN: Reviewer = { username: 'admin', groups: [ADMINISTRATORS, EVERYONE] };

type Answer = (object: JsonObject, reviewer: Reviewer) => Promise<JsonObject> | JsonObject;

const ANSWERS = new Map<string, Answer>([
  ['authentication.k8s.io/SelfSubjectReview', (_object, { username, groups }) => ({ userInfo: { username, groups } })],
  ['authentication.k8s.io/TokenReview', answerToken],
  ['authorization.k8s.io/LocalSubjectAccessReview', answerAccess],
  ['authorization.k8s.io/SelfSubjectAccessReview', answerAccess],
  ['authorization.k8s.io/SelfSubjectRulesReview', answerRules],
  ['authorization.k8s.io/SubjectAccessReview', answerAccess],
]);

/** Kinds that are questions: they are answered and never kept. */
export function isReview({ type }: Kind): boolean {
  return ANSWERS.has(`${type.group}/${type.kind}`);
}

/** The question with its answer as the status. */
export async function answerReview(kind: Kind, input: JsonObject, options: EmbeddedWriteOptions, nowMs: number): Promise<JsonObject> {
  const { group, kind: name } = kind.type;
  const object = decodeInput(kind, input, options);
  const errors = name.endsWith('AccessReview') ? checkAccess(name, object) : [];
  if (errors.length > 0) throw objectInvalid({ group, kind: '' }, '', errors);
  const answer = ANSWERS.get(`${group}/${name}`);
  const status = answer === undefined ? {} : await answer(object, options.reviewer ?? OWN);
  // As with the reference: some are told with the owners of what was asked, some with the time, and one forgets the question.
  if (name === 'SelfSubjectReview') return { ...withMetadata(object, { creationTimestamp: formatTime(nowMs) }), status };
  if (name === 'SelfSubjectRulesReview') return { ...withMetadata(object, {}), spec: {}, status };
  const manager = options.fieldManager ?? DEFAULT_FIELD_MANAGER;
  const owners = trackUpdate({ before: undefined, after: object, manager, nowMs, schema: kind.schema, isBuiltin: true });
  const answered = { ...withManagedFields(object, owners), status };
  return options.keepManagedFields === true ? answered : withManagedFields(answered, []);
}

function checkAccess(name: string, object: JsonObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec');
  const { namespace = '', ...others } = metadataOf(object);
  const [resource, path] = [valueAt(spec, ['resourceAttributes']), valueAt(spec, ['nonResourceAttributes'])];
  const errors: FieldError[] = [];
  if (resource !== undefined && path !== undefined)
    errors.push(
      invalidValue(
        'spec.nonResourceAttributes',
        { Path: textAt(path, 'path'), Verb: textAt(path, 'verb') },
        'cannot be specified in combination with resourceAttributes',
      ),
    );
  if (resource === undefined && path === undefined)
    errors.push(
      invalidValue('spec.resourceAttributes', null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified'),
    );
  if (name !== 'SelfSubjectAccessReview' && textAt(spec, 'user') === '' && listAt(spec, 'groups').length === 0)
    errors.push(invalidValue('spec.user', '', 'at least one of user or group must be specified'));
  const isLocal = name === 'LocalSubjectAccessReview';
  const {
    managedFields: _owners,
    creationTimestamp: _time,
    ...given
  } = isLocal ? others : { ...others, ...(namespace !== '' && { namespace }) };
  if (Object.keys(given).length > 0) errors.push(invalidValue('metadata', given as JsonObject, 'must be empty'));
  if (isLocal && textAt(resource, 'namespace') !== namespace)
    errors.push(invalidValue('spec.resourceAttributes.namespace', textAt(resource, 'namespace'), 'must match metadata.namespace'));
  return errors;
}

/** There are no roles here that anybody would look at: administrators may do everything, and others nothing. */
function answerAccess(object: JsonObject, reviewer: Reviewer): JsonObject {
  const isSelf = object['kind'] === 'SelfSubjectAccessReview';
  const spec = objectAt(object, 'spec');
  const groups = isSelf ? reviewer.groups : listAt(spec, 'groups');
  return { allowed: groups.includes(ADMINISTRATORS) || (!isSelf && textAt(spec, 'user') === OWN.username) };
}

function answerRules(object: JsonObject, { groups }: Reviewer): JsonObject {
  if (textAt(object, 'spec', 'namespace') === '') throw statusError('BadRequest', 'no namespace on request');
  const isAdministrator = groups.includes(ADMINISTRATORS);
  return {
    resourceRules: isAdministrator ? [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] : [],
    nonResourceRules: isAdministrator ? [{ verbs: ['*'], nonResourceURLs: ['*'] }] : [],
    incomplete: false,
  };
}

async function answerToken(object: JsonObject, { findUser }: Reviewer): Promise<JsonObject> {
  const token = textAt(object, 'spec', 'token');
  if (token === '') throw statusError('BadRequest', 'token is required for TokenReview in authentication');
  const user = await findUser?.(token);
  if (user === undefined) return { user: {}, error: 'invalid bearer token' };
  return { authenticated: true, user: { username: user.username, groups: user.groups } };
}
