import type { ReactElement } from 'react';
import { Check, TextAreaField, TextField } from '../../design/index.ts';
import { isUnseen, type FormField } from './describe-fields.ts';

interface FormFieldsProps {
  readonly fields: readonly FormField[];
  readonly values: Readonly<Record<string, string | boolean>>;
  readonly onChange: (field: string, value: string | boolean) => void;
  /** Something is stored already: what of it is not shown stays where nothing is typed. */
  readonly isStored: boolean;
  readonly isTemplate: boolean;
}

/** The fields of a table, one below the other. */
export function FormFields({ fields, values, onChange, isStored, isTemplate }: FormFieldsProps): ReactElement {
  return (
    <>
      {fields.map((field) => (
        <OneField
          key={field.field}
          {...{ field }}
          isKept={isStored && isUnseen(field, isTemplate)}
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
  readonly isKept: boolean;
}

function OneField({ field, value, onChange, isKept }: OneFieldProps): ReactElement {
  const { title, kind, hint } = field;
  const kept = isKept ? 'What is stored is not shown. Left as it is here, it stays.' : undefined;
  if (kind === 'flag') return <Check title={title} detail={kept ?? hint} isOn={value === true} onChange={onChange} />;
  const shared = {
    title,
    hint: isKept ? 'What is stored is not shown. Left empty, it stays.' : hint,
    value: typeof value === 'string' ? value : '',
    onChange,
    placeholder: field.placeholder,
  };
  if (kind === 'area' || kind === 'secret-area') return <TextAreaField {...shared} isCode rows={5} />;
  return <TextField {...shared} type={kind === 'secret' ? 'password' : 'text'} {...(kind === 'number' && { inputMode: 'numeric' })} />;
}
