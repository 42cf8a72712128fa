import { useId, type InputHTMLAttributes, type ReactElement, type ReactNode } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { Dialog } from './overlays.tsx';
import { Notice } from './states.tsx';
import type { Deed } from './use-deed.ts';

interface FieldProps {
  readonly title: ReactNode;
  /** What it is for, or what to write, in a line below. */
  readonly hint?: ReactNode;
  /** What is wrong with what is there now; none while it is right. */
  readonly error?: string | undefined;
}

/** What holds for a text of one line and of several. */
interface TextProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string | undefined;
  readonly isRequired?: boolean;
  readonly isReadOnly?: boolean;
}

interface FieldParts {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

/** A title, what is filled in, and below it the hint or what is wrong. */
function Field({ title, hint, error, children }: FieldProps & { readonly children: (parts: FieldParts) => ReactNode }): ReactElement {
  const id = useId();
  const below = error ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{title}</label>
      {children({
        id,
        ...(below !== undefined && { 'aria-describedby': `${id}-below` }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {below !== undefined && (
        <div id={`${id}-below`} className={error === undefined ? 'faint field-hint' : 'field-error'}>
          {below}
        </div>
      )}
    </div>
  );
}

type TextFieldProps = TextProps & {
  /** Passwords and tokens are never shown, nor offered by the browser. */
  readonly type?: 'text' | 'password' | 'number' | 'url' | 'datetime-local';
  /** Values to choose from; others may be written too. */
  readonly suggestions?: readonly string[] | undefined;
  readonly inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode'];
};

/** A text of one line. */
export function TextField(props: TextFieldProps): ReactElement {
  const { title, hint, error, value, onChange, placeholder, isRequired, isReadOnly, type = 'text', suggestions, inputMode } = props;
  return (
    <Field {...{ title, hint, error }}>
      {(parts) => (
        <>
          <input
            {...parts}
            className="input"
            type={type}
            autoComplete={type === 'password' ? 'new-password' : 'off'}
            spellCheck={false}
            {...{ value, placeholder, inputMode }}
            required={isRequired}
            readOnly={isReadOnly}
            list={suggestions && `${parts.id}-list`}
            onChange={({ target }) => onChange(target.value)}
          />
          {suggestions && (
            <datalist id={`${parts.id}-list`}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

/** A text of several lines: a key, a certificate, a list with an entry on each line. */
export function TextAreaField(props: TextProps & { readonly rows?: number; readonly isCode?: boolean }): ReactElement {
  const { title, hint, error, value, onChange, placeholder, isRequired, isReadOnly, rows = 4, isCode = false } = props;
  return (
    <Field {...{ title, hint, error }}>
      {(parts) => (
        <textarea
          {...parts}
          className="input"
          data-code={isCode || undefined}
          autoComplete="off"
          spellCheck={false}
          {...{ value, placeholder, rows }}
          required={isRequired}
          readOnly={isReadOnly}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

interface Option<Id extends string> {
  readonly id: Id;
  readonly title: string;
}

/** One of a few. */
export function SelectField<Id extends string>({
  title,
  hint,
  error,
  value,
  options,
  onChange,
}: FieldProps & { readonly value: Id; readonly options: readonly Option<Id>[]; readonly onChange: (value: Id) => void }): ReactElement {
  return (
    <Field {...{ title, hint, error }}>
      {(parts) => (
        <select {...parts} className="input" value={value} onChange={({ target }) => onChange(target.value as Id)}>
          {options.map((option) => (
            <option key={option.id} value={option.id}>
              {option.title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckProps {
  readonly title: ReactNode;
  /** What it means, in a line below. */
  readonly detail?: ReactNode;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly disabled?: boolean;
}

/** Yes or no. */
export function Check({ title, detail, isOn, onChange, disabled }: CheckProps): ReactElement {
  return (
    <label className="row">
      <input type="checkbox" className="check" checked={isOn} disabled={disabled} onChange={({ target }) => onChange(target.checked)} />
      <span>
        {title}
        {detail !== undefined && <div className="faint">{detail}</div>}
      </span>
    </label>
  );
}

interface ChoicesProps<Id extends string> {
  /** Said to those who cannot see how the choices belong together. */
  readonly label: string;
  readonly choices: readonly (Option<Id> & { readonly detail?: string })[];
  readonly value: Id;
  readonly onChange: (value: Id) => void;
}

/** One of a few, each with what it means. */
export function Choices<Id extends string>({ label, choices, value, onChange }: ChoicesProps<Id>): ReactElement {
  const name = useId();
  return (
    <fieldset className="stack choices">
      <legend className="visually-hidden">{label}</legend>
      {choices.map(({ id, title, detail }) => (
        <label key={id} className="row">
          <input type="radio" name={name} className="check" checked={value === id} onChange={() => onChange(id)} />
          <span>
            {title}
            {detail !== undefined && <div className="faint">{detail}</div>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface SegmentsProps<Id extends string> {
  readonly label: string;
  readonly segments: readonly (Option<Id> & { readonly icon?: ButtonProps['icon'] })[];
  readonly value: Id;
  readonly onChange: (value: Id) => void;
}

/** Switches between views of the same thing. */
export function Segments<Id extends string>({ label, segments, value, onChange }: SegmentsProps<Id>): ReactElement {
  return (
    <div className="segments" role="group" aria-label={label}>
      {segments.map(({ id, title, icon }) => (
        <Button key={id} look="quiet" {...(icon && { icon })} isPressed={value === id} onClick={() => onChange(id)}>
          {title}
        </Button>
      ))}
    </div>
  );
}

interface FormDialogProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly deed: Deed;
  /** What the main button says. */
  readonly action: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
  readonly look?: 'primary' | 'danger';
  readonly icon?: ButtonProps['icon'];
  readonly isWide?: boolean;
  /** Why it cannot be done yet. */
  readonly disabledReason?: string | undefined;
  readonly permission?: ButtonProps['permission'];
  /** Buttons before the main one, such as one that tries it out. */
  readonly more?: ReactNode;
}

/** A form in front of the page: what it asks, the reason where the server refuses, and Enter to send it. Open while it is there. */
export function FormDialog(props: FormDialogProps): ReactElement {
  const {
    title,
    onClose,
    deed,
    action,
    onSubmit,
    children,
    look = 'primary',
    icon,
    isWide = false,
    disabledReason,
    permission,
    more,
  } = props;
  const form = useId();
  return (
    <Dialog
      {...{ title, onClose, isWide }}
      isOpen
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {more}
          <Button type="submit" {...{ look, form, permission, disabledReason }} {...(icon && { icon })} isBusy={deed.isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (disabledReason === undefined && permission?.allowed !== false && !deed.isBusy) onSubmit();
        }}
      >
        {children}
        {permission?.allowed === false && permission.reason !== undefined && <Notice tone="warn">{permission.reason}</Notice>}
        {deed.failure !== undefined && <Notice tone="bad">{deed.failure}</Notice>}
      </form>
    </Dialog>
  );
}
