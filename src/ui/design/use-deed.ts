import { useState } from 'react';
import { describeError } from '../api/index.ts';
import { showToast } from './toast.tsx';

export interface Deed {
  /** Why it did not work; undefined before the first try, and while trying again. */
  readonly failure: string | undefined;
  readonly isBusy: boolean;
  readonly run: (done: string, deed: () => Promise<unknown>) => void;
}

/** Something that a dialog asks the server to do: busy meanwhile, a word when it is done, the reason where it is refused. */
export function useDeed(onDone: () => void): Deed {
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const run = (done: string, deed: () => Promise<unknown>): void => {
    setBusy(true);
    setFailure(undefined);
    deed()
      .then(() => {
        showToast('good', done);
        onDone();
      })
      .catch((error: unknown) => setFailure(describeError(error)))
      .finally(() => setBusy(false));
  };
  return { failure, isBusy, run };
}
