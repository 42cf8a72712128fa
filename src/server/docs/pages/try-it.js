import { element } from './element.js';
import { addressOf, curlOf, send } from './request.js';
import { describeType, exampleOf } from './schema.js';

/** More than this is not shown, so that a long stream cannot fill the page. */
const SHOWN_CHARACTERS_MAX = 400_000;

/** A form that sends the operation. `readToken` gives the token, which only the page's memory holds. */
export function renderTryIt({ verb, path, operation, api, readToken }) {
  const inputs = (operation.parameters ?? []).map((parameter) => createInput(parameter));
  const bodySchema = operation.requestBody?.content['application/json'].schema;
  const body =
    bodySchema &&
    element('textarea', { id: 'try-body', class: 'body', spellcheck: false, value: JSON.stringify(exampleOf(bodySchema, api), null, 2) });
  const submit = element('button', { type: 'submit' }, 'Send');
  const stop = element('button', { type: 'button', disabled: true }, 'Stop');
  const form = element('form', {}, element('div', { class: 'inputs' }, ...inputs.map((input) => input.view)));
  if (body) form.append(element('label', { htmlFor: 'try-body' }, 'Body (JSON)'), body);
  form.append(element('p', {}, submit, ' ', stop));
  const answer = createAnswer();

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const request = {
      verb,
      url: addressOf(
        path,
        inputs.map((input) => input.read()),
      ),
      body: body?.value.trim() ?? '',
      token: readToken(),
    };
    const abort = new AbortController();
    stop.onclick = () => abort.abort();
    submit.disabled = true;
    stop.disabled = false;
    void answer.show({ ...request, signal: abort.signal }).finally(() => {
      submit.disabled = false;
      stop.disabled = true;
    });
  });
  return element('section', { 'aria-labelledby': 'try-it' }, element('h2', { id: 'try-it' }, 'Try it'), form, answer.view);
}

function createInput(parameter) {
  const id = `try-${parameter.in}-${parameter.name}`;
  const { schema } = parameter;
  const isList = schema.type === 'array';
  const field = createField(schema, { id, required: parameter.required === true });
  const hint = isList ? `${describeType(schema)}, one on each line` : describeType(schema);
  const label = element('label', { htmlFor: id }, parameter.name + (parameter.required ? ' *' : ''));
  const view = element('div', {}, label, field, element('span', { class: 'quiet' }, `${parameter.in}, ${hint}`));
  const read = () => ({ parameter, texts: (isList ? field.value.split('\n') : [field.value]).filter((text) => text !== '') });
  return { view, read };
}

function createField(schema, properties) {
  if (schema.type === 'array') return element('textarea', { ...properties, rows: 2 });
  if (schema.type === 'boolean')
    return element('select', properties, ...['', 'true', 'false'].map((value) => element('option', { value }, value || 'not given')));
  const kind = schema.type === 'integer' ? { inputMode: 'numeric', pattern: '-?[0-9]+' } : {};
  return element('input', { ...properties, ...kind, autocomplete: 'off', spellcheck: false });
}

/** Where the answer is shown. */
function createAnswer() {
  const status = element('p', { role: 'status' });
  const text = element('pre', { tabIndex: 0, 'aria-label': 'Answer' });
  const curl = element('pre', { tabIndex: 0, 'aria-label': 'The same request with curl' });
  const view = element('div', { hidden: true }, element('h3', {}, 'Answer'), status, text, element('h3', {}, 'As a command'), curl);

  async function show(request) {
    const started = performance.now();
    let received = '';
    view.hidden = false;
    text.textContent = '';
    status.textContent = 'Waiting for the answer …';
    curl.textContent = curlOf({ ...request, hasToken: request.token !== '' });
    let head = '';
    try {
      await send({
        ...request,
        onStart(response) {
          head = `${response.status} ${response.statusText}`.trim();
          status.textContent = `${head} …`;
        },
        onText(piece) {
          if (received.length < SHOWN_CHARACTERS_MAX) text.append(piece);
          received += received.length < SHOWN_CHARACTERS_MAX ? piece : '';
        },
      });
      text.textContent = prettify(received);
      status.textContent = `${head}, ${Math.round(performance.now() - started)} ms`;
    } catch (error) {
      status.textContent = request.signal.aborted ? `${head} Stopped.`.trim() : `No answer: ${error.message}`;
    }
  }
  return { view, show };
}

function prettify(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // A stream of several objects, or no JSON at all: shown as it came.
    return text;
  }
}
