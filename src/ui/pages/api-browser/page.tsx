import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, type ReactElement } from 'react';
import { callCodes, CallError, getJson } from '../../api/index.ts';
import { AppLink, readText, useCommands, useSearchValues } from '../../app/index.ts';
import { Button, EmptyState, ErrorState, Icon, Loading } from '../../design/index.ts';
import { OperationView } from './operation-view.tsx';
import { readDocument, searchServices, type ApiDocument } from './read-document.ts';
import { Verb } from './verb.tsx';
import './api-browser.css';

/** Every method of the API: where it is, what it takes and answers. Made from the document that the server describes itself with. */
export function Page(): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['openapi'],
    queryFn: async ({ signal }) => readDocument(await getJson('/openapi.json', { signal })),
    staleTime: Infinity,
  });
  return (
    <div className="api">
      <header className="page-head">
        <h1>API browser</h1>
        <a className="button" data-look="quiet" href="/openapi.json">
          <Icon name="code" />
          OpenAPI document
        </a>
      </header>
      {data !== undefined ? (
        <Browser document={data} />
      ) : error === null ? (
        <Loading what="Reading the description of the API" />
      ) : error instanceof CallError && error.code === callCodes.notFound ? (
        <EmptyState icon="code" title="This server does not describe its API">
          It was started with <code>--docs off</code>. The API works all the same.
        </EmptyState>
      ) : (
        <ErrorState error={error} what="The description of the API could not be read" onRetry={() => void refetch()} />
      )}
    </div>
  );
}

function Browser({ document: { services, schemas } }: { readonly document: ApiDocument }): ReactElement {
  const [search, change] = useSearchValues();
  const input = useRef<HTMLInputElement>(null);
  const text = readText(search['search']);
  const found = useMemo(() => searchServices(services, text), [services, text]);
  const chosen = readText(search['operation']);
  const operation = services.flatMap(({ operations }) => operations).find(({ id }) => id === chosen);
  useCommands(
    useMemo(
      () => [{ id: 'focus-search', title: 'Search the API', group: 'API', icon: 'search', keys: '/', run: () => input.current?.focus() }],
      [],
    ),
  );
  return (
    <div className="api-browser" data-chosen={operation !== undefined || undefined}>
      <nav className="card api-list" aria-label="Methods">
        <label className="api-search">
          <span className="visually-hidden">Search methods</span>
          <input
            ref={input}
            type="search"
            className="input"
            placeholder="Route, method or word"
            value={text}
            onChange={({ target }) => change({ search: target.value || undefined })}
          />
        </label>
        {found.length === 0 && <p className="api-none soft">No method has all of these words.</p>}
        {found.map(({ name, description, operations }) => (
          <section key={name} aria-label={name}>
            <h2 className="api-service" title={description}>
              {name}
            </h2>
            <ul>
              {operations.map(({ id, title, verb, path }) => (
                <li key={id}>
                  <AppLink
                    to="."
                    search={{ ...(text !== '' && { search: text }), operation: id }}
                    className="api-method"
                    isCurrent={id === chosen}
                    title={path}
                  >
                    <Verb verb={verb} />
                    <span className="one-line">
                      {title}
                      <span className="api-method-route faint one-line">{path}</span>
                    </span>
                  </AppLink>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <div className="api-shown">
        {operation !== undefined && (
          <div className="api-back">
            <Button look="quiet" icon="chevronRight" onClick={() => change({ operation: undefined })}>
              All methods
            </Button>
          </div>
        )}
        {operation === undefined ? (
          <EmptyState icon="code" title="Choose a method">
            {services.length} services with {services.reduce((sum, { operations }) => sum + operations.length, 0)} methods, over REST, gRPC
            and gRPC-Web. Calls are made as you, and you may do there what you may do here.
          </EmptyState>
        ) : (
          <OperationView operation={operation} schemas={schemas} />
        )}
      </div>
    </div>
  );
}
