import type { ReactElement } from 'react';
import { applicationPath, AppLink } from '../../app/index.ts';
import { describeError } from '../../api/index.ts';
import { useUsers } from './use-repositories.ts';

const SHOWN_MAX = 30;

/** The applications that take something from a repository. */
export function Users({ url }: { readonly url: string }): ReactElement {
  const { data, error } = useUsers(url);
  if (error !== null) return <p className="soft">Which applications use it could not be read: {describeError(error)}</p>;
  if (data === undefined) return <p className="soft">Looking for applications that use it…</p>;
  const items = data.items ?? [];
  if (items.length === 0) return <p className="soft">No application that you may see uses it.</p>;
  return (
    <>
      <p>{items.length === 1 ? 'One application uses it:' : `${items.length} applications use it:`}</p>
      <ul className="repositories-users">
        {items.slice(0, SHOWN_MAX).map(({ metadata, spec }) => (
          <li key={`${metadata.namespace}/${metadata.name}`}>
            <AppLink to={applicationPath(metadata)}>{metadata.name}</AppLink> <span className="faint">{spec.project}</span>
          </li>
        ))}
      </ul>
      {items.length > SHOWN_MAX && <p className="faint">and {items.length - SHOWN_MAX} more</p>}
    </>
  );
}
