import { breakable, element, prose } from './element.js';
import { renderOperation } from './operation.js';

const main = document.getElementById('main');
const search = document.getElementById('search');
const token = document.getElementById('token');

/** Loads the document and shows the list of its operations and the one that the address names. */
async function start() {
  const response = await fetch('openapi.json');
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const api = await response.json();
  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ path, verb: verb.toUpperCase(), operation })),
  );
  const list = renderList(api, operations);
  search.addEventListener('input', () => list.filter(search.value));
  globalThis.addEventListener('hashchange', () => showCurrent(api, operations, list, true));
  document.addEventListener('keydown', focusSearch);
  list.filter('');
  showCurrent(api, operations, list, false);
}

function showCurrent(api, operations, list, moveFocus) {
  const id = decodeURIComponent(location.hash.replace(/^#\//, ''));
  const chosen = operations.find(({ operation }) => operation.operationId === id);
  list.mark(id);
  if (location.hash === '#main') return main.focus();
  document.title = chosen ? `${chosen.verb} ${chosen.path} · Fairway API` : 'Fairway API';
  main.replaceChildren(
    ...(chosen ? renderOperation({ ...chosen, api, readToken: () => token.value.trim() }) : renderOverview(api, operations)),
  );
  main.scrollTop = 0;
  if (moveFocus) main.focus();
}

function renderOverview(api, operations) {
  const tags = api.tags.flatMap((tag) => [
    element('h2', {}, tag.name),
    element(
      'p',
      {},
      ...prose(tag.description),
      ' ',
      element('span', { class: 'quiet' }, `${operations.filter(({ operation }) => operation.tags.includes(tag.name)).length} operations`),
    ),
  ]);
  const ways = Object.values(api.components.securitySchemes).map((scheme) =>
    element(
      'li',
      {},
      scheme.type === 'http' ? 'Header ' : 'Cookie ',
      element('code', {}, scheme.name ?? 'Authorization: Bearer …'),
      ': ',
      ...prose(scheme.description),
    ),
  );
  return [
    element('h1', {}, 'Fairway API'),
    element('p', {}, ...prose(api.info.summary)),
    element('p', {}, ...prose(api.info.description)),
    element('p', {}, 'Signing in, either way:'),
    element('ul', {}, ...ways),
    ...tags,
  ];
}

/** The list at the side: operations by tag, which the search narrows. */
function renderList(api, operations) {
  const entries = [];
  const groups = api.tags.map((tag) => {
    const items = operations
      .filter(({ operation }) => operation.tags.includes(tag.name))
      .map(({ path, verb, operation }) => {
        const link = element(
          'a',
          { href: `#/${operation.operationId}`, title: operation.summary },
          element('span', { class: `verb ${verb}` }, verb),
          element('span', {}, ...breakable(path)),
        );
        const item = element('li', {}, link);
        const text = [verb, path, operation.operationId, operation.summary, operation.description].join(' ').toLowerCase();
        entries.push({ item, link, text, id: operation.operationId });
        return item;
      });
    return { items, view: element('section', {}, element('h2', {}, tag.name), element('ul', {}, ...items)) };
  });
  document.getElementById('operations').replaceChildren(...groups.map((group) => group.view));

  return {
    filter(query) {
      const words = query
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '');
      for (const { item, text } of entries) item.hidden = !words.every((word) => text.includes(word));
      for (const { items, view } of groups) view.hidden = items.every((item) => item.hidden);
      const count = entries.filter(({ item }) => !item.hidden).length;
      document.getElementById('found').textContent = count === 1 ? '1 operation' : `${count} operations`;
    },
    mark(id) {
      for (const entry of entries) {
        if (entry.id === id) entry.link.setAttribute('aria-current', 'page');
        else entry.link.removeAttribute('aria-current');
      }
    },
  };
}

/** A slash outside of a field leads to the search. */
function focusSearch(event) {
  if (event.key !== '/' || event.target.closest('input, textarea, select')) return;
  event.preventDefault();
  search.focus();
}

start().catch((error) => {
  main.replaceChildren(element('h1', {}, 'The API description could not be loaded'), element('p', { role: 'alert' }, error.message));
});
