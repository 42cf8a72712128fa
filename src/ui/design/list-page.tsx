import { useState, type ReactElement, type ReactNode, type Ref } from 'react';
import { Icon } from './icon.tsx';
import './list-page.css';

interface ListPageProps {
  readonly title: ReactNode;
  /** How many there are; none before they are known. */
  readonly total?: number | undefined;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly filters?: ReactNode;
  /** Whether the list is still the one that was asked for before. */
  readonly isFromBefore?: boolean;
  /** The table, or what stands in its place. */
  readonly children: ReactNode;
}

/** A page that is one list, which takes all the room that there is. */
export function ListPage({ title, total, actions, filters, isFromBefore = false, children }: ListPageProps): ReactElement {
  return (
    <div className="list-page">
      <header className="page-head">
        <h1>
          {title} <span className="list-page-total">{total?.toLocaleString()}</span>
        </h1>
        {actions}
      </header>
      {filters !== undefined && (
        <div className="list-page-filters" role="search">
          {filters}
        </div>
      )}
      <div className="list-page-body card" data-from-before={isFromBefore || undefined}>
        {children}
      </div>
    </div>
  );
}

interface SearchFieldProps {
  readonly label: string;
  /** What the empty field shows; the label unless told otherwise. */
  readonly placeholder?: string | undefined;
  /** As the address has it. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Where a key of the page leads. */
  readonly ref?: Ref<HTMLInputElement>;
}

/** What to look for. Typing asks at once; where the value changes by itself (somebody went back), the field follows. */
export function SearchField({ label, placeholder = label, value, onChange, ref }: SearchFieldProps): ReactElement {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    if (value !== text.trim()) setText(value);
  }
  return (
    <label className="list-page-search">
      <Icon name="search" size={14} />
      <span className="visually-hidden">{label}</span>
      <input
        {...(ref && { ref })}
        type="search"
        className="input"
        placeholder={placeholder}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          onChange(target.value.trim());
        }}
      />
    </label>
  );
}
