import type { HttpBinding, MethodSchema } from '../../../src/contract/schema.ts';
import type { Contract } from '../contract.ts';
import { Schemas } from './json-schema.ts';
import type { Json } from './json-schema.ts';
import { tagOf, writeOperation } from './operation.ts';
import type { Operation } from './operation.ts';
import { ownPaths, ownSchemas, ownTag } from './own-routes.ts';

const VERBS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'] as const;

/** The OpenAPI 3.1 document of the REST side of the contract. */
export function writeOpenApi(contract: Contract): string {
  const schemas = new Schemas(contract);
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of collectOperations(contract)) {
    const item = (paths[operation.path] ??= {});
    item[operation.binding.verb.toLowerCase()] = writeOperation(operation, schemas, contract.comments);
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Fairway',
      version: 'v1',
      summary: 'Keeps software on Kubernetes clusters equal to what Git, Helm and OCI repositories declare.',
      description: 'Every operation is also a gRPC and gRPC-Web method, which its description names, except those below /api/fairway/.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { cookie: [] }],
    tags: [
      ...contract.services.map((service) => ({ name: tagOf(service.name), description: contract.comments.ofService(service.name) })),
      ownTag,
    ],
    paths: { ...paths, ...ownPaths },
    components: { schemas: { ...schemas.components(), ...ERRORS, ...ownSchemas }, responses: RESPONSES, securitySchemes: SECURITY },
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

const CODE: Json = { type: 'integer', description: 'gRPC status code.' };

const ERRORS: Record<string, Json> = {
  Error: {
    description: 'Why a request failed.',
    type: 'object',
    properties: {
      error: { type: 'string', description: 'The same text as `message`.' },
      code: CODE,
      message: { type: 'string' },
      details: { type: 'array', items: { type: 'object' } },
    },
    required: ['error', 'code', 'message'],
  },
  StreamError: {
    description: 'Why a stream failed.',
    type: 'object',
    properties: {
      error: {
        type: 'object',
        properties: { grpc_code: CODE, http_code: { type: 'integer' }, message: { type: 'string' }, http_status: { type: 'string' } },
        required: ['grpc_code', 'http_code', 'message', 'http_status'],
      },
    },
    required: ['error'],
  },
};

const RESPONSES: Json = {
  Error: { description: 'It failed.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
};

const SECURITY: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A token from `POST /api/v1/session`, of an account or of a project role.',
  },
  cookie: { type: 'apiKey', in: 'cookie', name: 'argocd.token', description: 'The session of a browser.' },
};

/** Every route once, sorted by path and verb. */
function collectOperations(contract: Contract): Operation[] {
  const routes = new Map<string, { methods: MethodSchema[]; binding: HttpBinding; id: string }>();
  for (const method of contract.services.flatMap((service) => service.methods)) {
    method.http.forEach((binding, index) => {
      const key = `${binding.verb} ${binding.path}`;
      const id = `${tagOf(method.service)}_${method.name}${index === 0 ? '' : `_${index + 1}`}`;
      routes.set(key, { methods: [...(routes.get(key)?.methods ?? []), method], binding, id });
    });
  }
  const shown = chooseShownPaths([...routes.values()].map((route) => route.binding.path));
  return [...routes.values()]
    .map((route) => ({ ...route, path: shown.get(shapeOf(route.binding.path)) ?? route.binding.path }))
    .sort((a, b) => (a.path === b.path ? VERBS.indexOf(a.binding.verb) - VERBS.indexOf(b.binding.verb) : a.path < b.path ? -1 : 1));
}

/** OpenAPI takes two paths that differ only in the names of their places as one: of several, the shortest is shown. */
function chooseShownPaths(paths: readonly string[]): Map<string, string> {
  const shown = new Map<string, string>();
  for (const path of paths) {
    const plain = path.replaceAll('=**}', '}');
    const chosen = shown.get(shapeOf(path));
    if (chosen === undefined || plain.length < chosen.length) shown.set(shapeOf(path), plain);
  }
  return shown;
}

function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}');
}
