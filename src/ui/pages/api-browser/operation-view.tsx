import type { ReactElement } from 'react';
import { Badge, Copy, EmptyState } from '../../design/index.ts';
import { typeOf, type Operation, type Schema } from './read-document.ts';
import { SchemaView } from './schema-view.tsx';
import { TryIt } from './try-it.tsx';
import { Verb } from './verb.tsx';
import { Words } from './words.tsx';

interface OperationViewProps {
  readonly operation: Operation;
  readonly schemas: ReadonlyMap<string, Schema>;
}

/** One method: its route, what it takes, what it answers, and a way to try it. */
export function OperationView({ operation, schemas }: OperationViewProps): ReactElement {
  const { verb, path, summary, method, parameters, body, answer, isStream } = operation;
  return (
    <article className="stack api-operation">
      <div>
        <h2>
          <Words text={summary} />
        </h2>
        <div className="row api-route">
          <Verb verb={verb} />
          <code className="api-address">{path}</code>
          <Copy text={path} label="Copy the route" />
        </div>
        {method !== '' && (
          <div className="faint">
            gRPC: <code>{method}</code>
          </div>
        )}
      </div>
      {parameters.length > 0 && (
        <section className="card api-part">
          <h3>Parameters</h3>
          <ul className="api-fields">
            {parameters.map(({ name, in: place, description, schema }) => (
              <li key={`${place} ${name}`} className="api-field">
                <code>{name}</code>{' '}
                <span className="faint">
                  {typeOf(schema)}, in the {place}
                </span>
                {description !== undefined && (
                  <div className="soft">
                    <Words text={description} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      <ValuePart title="Body" schema={body} schemas={schemas} />
      <ValuePart title={isStream ? 'Answers, one after the other' : 'Answer'} schema={answer} schemas={schemas} />
      {verb === 'GET' && !isStream ? (
        <TryIt key={operation.id} operation={operation} />
      ) : (
        <EmptyState icon="code" title={isStream ? 'Streams are not tried here' : 'Only what reads can be tried here'}>
          {isStream
            ? 'A stream goes on for ever: follow it with curl or the argocd client.'
            : 'This one changes something. Send it with curl or the argocd client; the pages of this interface do most of it, too.'}
        </EmptyState>
      )}
    </article>
  );
}

interface ValuePartProps {
  readonly title: string;
  readonly schema: Schema | undefined;
  readonly schemas: ReadonlyMap<string, Schema>;
}

function ValuePart({ title, schema, schemas }: ValuePartProps): ReactElement | null {
  if (schema === undefined) return null;
  return (
    <section className="card api-part">
      <h3 className="row">
        {title} <Badge>{typeOf(schema)}</Badge>
      </h3>
      <SchemaView schema={schema} schemas={schemas} />
    </section>
  );
}
