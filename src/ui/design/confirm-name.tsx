import { useState, type ReactElement } from 'react';
import { TextField } from './form.tsx';
import { UserText } from './text/user-text.tsx';

export interface Confirmation {
  /** Where the name is to be typed. */
  readonly field: ReactElement;
  /** Why it cannot go on yet. */
  readonly disabledReason: string | undefined;
}

/** Has somebody type the name of what they are about to lose. `what` is what it is, as in `project`. */
export function useConfirmName(name: string, what: string): Confirmation {
  const [typed, setTyped] = useState('');
  const title = (
    <>
      Type{' '}
      <strong>
        <UserText>{name}</UserText>
      </strong>{' '}
      to confirm
    </>
  );
  return {
    field: <TextField title={title} value={typed} onChange={setTyped} />,
    disabledReason: typed === name ? undefined : `Type the name of the ${what} first`,
  };
}
