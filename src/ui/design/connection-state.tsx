import type { ReactElement } from 'react';
import { explainConnection } from './text/explain-connection.ts';
import { TimeAgo } from './small.tsx';
import { Notice } from './states.tsx';
import { Status } from './status.tsx';
import { UserText } from './text/user-text.tsx';

interface ConnectionProps {
  readonly status: string | undefined;
  readonly message: string | undefined;
  readonly attemptedAt: string | null | undefined;
}

/** Whether something can be reached, since when that is known, and in one line why not. */
export function ConnectionCell({ status, message = '', attemptedAt }: ConnectionProps): ReactElement {
  const reason = explainConnection(message) ?? message;
  return (
    <div className="connection-cell">
      <div className="row">
        <Status kind="connection" value={status || 'Unknown'} />
        <span className="faint">
          <TimeAgo time={attemptedAt} />
        </span>
      </div>
      {reason !== '' && (
        <div className="soft one-line" title={message}>
          <UserText>{reason}</UserText>
        </div>
      )}
    </div>
  );
}

/** What went wrong in plain words, and below them the words of the server. */
export function ConnectionTrouble({ message }: { readonly message: string }): ReactElement {
  const meaning = explainConnection(message);
  return (
    <Notice tone="bad">
      <div role="alert">{meaning ?? <UserText>{message}</UserText>}</div>
      {meaning !== undefined && (
        <details className="connection-words">
          <summary>What the server says</summary>
          <code>
            <UserText>{message}</UserText>
          </code>
        </details>
      )}
    </Notice>
  );
}
