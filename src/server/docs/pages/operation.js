import { breakable, element, prose } from './element.js';
import { describeType, renderSchema } from './schema.js';
import { renderTryIt } from './try-it.js';

/** Everything about one operation. */
export function renderOperation({ verb, path, operation, api, readToken }) {
  return [
    element('h1', {}, element('span', { class: `verb ${verb}` }, verb), ' ', ...breakable(path)),
    element('p', {}, ...prose(operation.summary)),
    element('p', { class: 'quiet' }, ...prose(operation.description)),
    ...renderSignIn(operation),
    ...renderParameters(operation.parameters ?? []),
    ...renderBody(operation.requestBody, api),
    ...renderAnswers(operation.responses, api),
    renderTryIt({ verb, path, operation, api, readToken }),
  ];
}

function renderSignIn(operation) {
  return operation.security ? [element('p', { class: 'quiet' }, 'Works without signing in.')] : [];
}

function renderParameters(parameters) {
  if (parameters.length === 0) return [];
  const items = parameters.map((parameter) =>
    element(
      'li',
      {},
      element('code', {}, parameter.name),
      element('span', { class: 'type' }, `${parameter.in}, ${describeType(parameter.schema)}${parameter.required ? ', required' : ''}`),
      ...prose(parameter.description ?? ''),
    ),
  );
  return [element('h2', {}, 'Parameters'), element('ul', { class: 'fields' }, ...items)];
}

function renderBody(body, api) {
  if (!body) return [];
  const { schema } = body.content['application/json'];
  return [element('h2', {}, 'Body'), element('p', {}, ...prose(body.description ?? '')), renderSchema(schema, api)];
}

function renderAnswers(responses, api) {
  const parts = Object.entries(responses).flatMap(([status, response]) => {
    const { description, content } = response.$ref ? api.components.responses[response.$ref.split('/').at(-1)] : response;
    const schema = Object.values(content)[0].schema;
    const title = status === 'default' ? 'On failure' : status;
    return [
      element('h3', {}, title),
      element('p', {}, ...prose(description), ' ', element('span', { class: 'quiet' }, Object.keys(content).join(', '))),
      renderSchema(schema, api),
    ];
  });
  return [element('h2', {}, 'Answers'), ...parts];
}
