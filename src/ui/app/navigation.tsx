import { Link, useNavigate, useParams, useRouterState, useSearch } from '@tanstack/react-router';
import { useCallback, type ReactElement, type ReactNode } from 'react';

/** What stands behind the question mark: texts, or lists of texts. */
export type SearchValues = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface AppLinkProps {
  readonly to: string;
  readonly search?: SearchValues;
  readonly className?: string;
  readonly title?: string;
  readonly children: ReactNode;
  readonly isCurrent?: boolean;
  readonly onClick?: () => void;
}

/** A link to a page of ours. */
export function AppLink({ to, search = {}, className, title, children, isCurrent = false, onClick }: AppLinkProps): ReactElement {
  return (
    <Link
      to={to}
      search={search}
      // Of a page and those above it, only one is the current one.
      activeOptions={{ exact: true }}
      className={className}
      title={title}
      aria-current={isCurrent ? 'page' : undefined}
      {...(onClick && { onClick })}
    >
      {children}
    </Link>
  );
}

/** Goes to a page of ours. */
export function useGo(): (to: string, options?: { readonly search?: SearchValues; readonly replace?: boolean }) => void {
  const navigate = useNavigate();
  return useCallback((to, { search = {}, replace = false } = {}) => void navigate({ to, search, replace }), [navigate]);
}

/** What the page's path names: for `/applications/$namespace/$name` both, decoded. */
export function usePathNames(): Readonly<Record<string, string | undefined>> {
  return useParams({ strict: false });
}

/** The page's state in the address, and a function that changes some of it; undefined takes a name away. */
export function useSearchValues(): [SearchValues, (change: SearchValues, options?: { readonly replace?: boolean }) => void] {
  const search: SearchValues = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (values: SearchValues, { replace = true }: { readonly replace?: boolean } = {}) =>
      void navigate({ to: '.', search: (before: SearchValues) => ({ ...before, ...values }), replace }),
    [navigate],
  );
  return [search, change];
}

export function useCurrentPath(): string {
  return useRouterState({ select: ({ location }) => location.pathname });
}

/** One text of the address, also where somebody gave several. */
export function readText(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

export function readList(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? []);
}

/** Addresses that people can read: `?project=a&project=b`. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  const query = new URLSearchParams(text);
  for (const name of new Set(query.keys())) {
    const all = query.getAll(name);
    Object.defineProperty(values, name, { value: all.length === 1 ? all[0] : all, enumerable: true, configurable: true, writable: true });
  }
  return values;
}

export function stringifySearch(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const item of Array.isArray(value) ? (value as readonly unknown[]) : [value])
      if (typeof item === 'string' && item !== '') query.append(name, item);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
