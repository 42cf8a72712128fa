import { useState, type ReactElement } from 'react';
import { refName, typeOf, type Schema } from './read-document.ts';
import { Words } from './words.tsx';

interface SchemaViewProps {
  readonly schema: Schema;
  readonly schemas: ReadonlyMap<string, Schema>;
}

/** The fields of a value; what they hold in turn is shown when somebody opens them, for some hold themselves. */
export function SchemaView({ schema, schemas }: SchemaViewProps): ReactElement | null {
  const shape = shapeOf(schema, schemas);
  if (shape?.properties === undefined) return null;
  return (
    <ul className="api-fields">
      {Object.entries(shape.properties).map(([name, field]) => (
        <Field key={name} name={name} field={field} isRequired={shape.required?.includes(name) === true} schemas={schemas} />
      ))}
    </ul>
  );
}

interface FieldProps {
  readonly name: string;
  readonly field: Schema;
  readonly isRequired: boolean;
  readonly schemas: SchemaViewProps['schemas'];
}

function Field({ name, field, isRequired, schemas }: FieldProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const description = field.description ?? (field.$ref === undefined ? undefined : schemas.get(refName(field))?.description);
  const head = (
    <>
      <code>{name}</code> <span className="faint">{typeOf(field)}</span>
      {isRequired && <span className="api-required"> always</span>}
    </>
  );
  return (
    <li className="api-field">
      {shapeOf(field, schemas)?.properties === undefined ? (
        <span>{head}</span>
      ) : (
        <button type="button" className="api-open" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {head}
        </button>
      )}
      {description !== undefined && (
        <div className="soft">
          <Words text={description} />
        </div>
      )}
      {isOpen && <SchemaView schema={field} schemas={schemas} />}
    </li>
  );
}

/** The object whose fields somebody wants to see: behind names, within lists and maps, and the first of several. */
function shapeOf(schema: Schema, schemas: SchemaViewProps['schemas'], depth = 0): Schema | undefined {
  // A document may be wrong: names that lead to each other end somewhere.
  if (depth > 8) return undefined;
  const inner =
    schema.$ref !== undefined
      ? schemas.get(refName(schema))
      : (schema.items ?? schema.anyOf?.[0] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined));
  return inner === undefined ? schema : shapeOf(inner, schemas, depth + 1);
}
