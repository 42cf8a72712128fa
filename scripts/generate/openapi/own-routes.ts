import type { Json } from './json-schema.ts';

const TEXT: Json = { type: 'string' };
const NUMBER: Json = { type: 'integer' };
const VERDICT: Json = {
  type: 'string',
  enum: ['agrees', 'disagrees', 'pending', 'skipped'],
  description: 'Pending: there is nothing to compare with yet. Skipped: it says that nobody is to look at it.',
};
const COUNTS: Json = object({ agrees: NUMBER, disagrees: NUMBER, pending: NUMBER, skipped: NUMBER });
const PAIR: Json = object({ ours: TEXT, theirs: TEXT });
const IDENTITY = { namespace: TEXT, name: TEXT, project: TEXT, verdict: VERDICT, reason: TEXT };
const FINDINGS = {
  disagreements: list(
    object({
      aspect: { type: 'string', enum: ['sync', 'health', 'revision', 'resource', 'condition', 'application'] },
      subject: TEXT,
      ours: TEXT,
      theirs: TEXT,
      reason: TEXT,
    }),
  ),
  wordings: list(object({ subject: TEXT, ours: TEXT, theirs: TEXT }), 'What both say in other words, which is no disagreement.'),
};

/** Schemas of the routes below, by name. */
export const ownSchemas: Readonly<Record<string, Json>> = {
  ShadowReport: {
    description: 'How applications and application sets that another installation looks after are seen here.',
    ...object({
      total: { ...(NUMBER as object), description: 'Of applications that the caller may see.' },
      counts: COUNTS,
      applications: list(
        object({
          ...IDENTITY,
          sync: PAIR,
          health: PAIR,
          resources: NUMBER,
          ...FINDINGS,
          wouldWrite: list(TEXT, 'Fields that the first look after a cut-over would write.'),
        }),
      ),
      sets: object({ total: NUMBER, counts: COUNTS, applicationSets: list(object({ ...IDENTITY, applications: NUMBER, ...FINDINGS })) }),
    }),
  },
};

/** Routes that are no methods of the contract, and are asked over REST alone. */
export const ownPaths: Readonly<Record<string, Record<string, Json>>> = {
  '/api/fairway/v1/shadow': {
    get: {
      tags: ['Fairway'],
      summary: 'Whether we agree with the installation that looks after the applications.',
      description: 'Answers only where Fairway was started with `--shadow`; elsewhere there is no such route.',
      operationId: 'Fairway_Shadow',
      responses: {
        200: {
          description: 'What was found last.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ShadowReport' } } },
        },
        default: { $ref: '#/components/responses/Error' },
      },
    },
  },
};

export const ownTag: Json = { name: 'Fairway', description: 'What Fairway answers beside the API that it shares with others.' };

function object(properties: Readonly<Record<string, Json>>): { readonly [name: string]: Json } {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function list(items: Json, description?: string): Json {
  return { type: 'array', items, ...(description !== undefined && { description }) };
}
