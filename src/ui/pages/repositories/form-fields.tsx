import type { ReactElement } from 'react';
import { Check, TextAreaField, TextField } from '../../design/index.ts';
import type { FormField } from './describe-fields.ts';

interface FormFieldsProps {
  readonly fields: readonly FormField[];
  readonly values: Readonly<Record<string, string | boolean>>;
  readonly onChange: (field: string, value: string | boolean) => void;
  /** Something is stored already: what is secret is not shown, and stays where nothing is typed. */
  readonly isStored: boolean;
}

/** The fields of a table, one below the other. */
export function FormFields({ fields, values, onChange, isStored }: FormFieldsProps): ReactElement {
  return (
    <>
      {fields.map((field) => (
        <OneField
          key={field.field}
          {...{ field, isStored }}
          value={values[field.field] ?? ''}
          onChange={(value) => onChange(field.field, value)}
        />
      ))}
    </>
  );
}

interface OneFieldProps {
  readonly field: FormField;
  readonly value: string | boolean;
  readonly onChange: (value: string | boolean) => void;
  readonly isStored: boolean;
}

function OneField({ field, value, onChange, isStored }: OneFieldProps): ReactElement {
  const { title, kind, hint } = field;
  if (kind === 'flag') return <Check title={title} detail={hint} isOn={value === true} onChange={onChange} />;
  const isSecret = kind === 'secret' || kind === 'secret-area';
  const shared = {
    title,
    hint: isStored && isSecret ? 'It is never shown. Left empty, it stays as it is.' : hint,
    value: typeof value === 'string' ? value : '',
    onChange,
    placeholder: field.placeholder,
  };
  if (kind === 'area' || kind === 'secret-area') return <TextAreaField {...shared} isCode rows={5} />;
  return <TextField {...shared} type={kind === 'secret' ? 'password' : 'text'} {...(kind === 'number' && { inputMode: 'numeric' })} />;
}
