import { createContext, useContext, useState, type ReactElement, type ReactNode } from 'react';
import type { AppProject } from '../../../contract/gen/types.ts';
import { api, CallError, callCodes } from '../../api/index.ts';
import { Button, DiffView, FormDialog, Notice, useDeed, UserText } from '../../design/index.ts';
import { listChanges, mergeOnto, projectText, projectToSend, type Change } from './project-form.ts';
import { readAgain } from './use-project.ts';

/** A project as somebody read it, and as they would have it. */
export interface Proposal {
  readonly title: string;
  readonly base: AppProject;
  readonly next: AppProject;
  readonly onSaved?: () => void;
}

interface Reviewed extends Proposal {
  /** Fields that somebody else changed too. */
  readonly clashes: readonly string[];
}

/** For forms that ask nothing of the server themselves: what they would change is reviewed first. */
export const NO_DEED = { failure: undefined, isBusy: false, run: () => undefined } as const;

const Review = createContext<(proposal: Proposal) => void>(() => undefined);

/** Asks for a change of the project: what would change is shown first, and saved from there. */
export function usePropose(): (proposal: Proposal) => void {
  return useContext(Review);
}

export function ReviewChanges({ children }: { readonly children: ReactNode }): ReactElement {
  const [reviewed, setReviewed] = useState<Reviewed>();
  return (
    <Review.Provider value={(proposal) => setReviewed({ ...proposal, clashes: [] })}>
      {children}
      {reviewed !== undefined && (
        <ReviewDialog
          // Put on top of another version it is another question.
          key={reviewed.base.metadata.resourceVersion}
          {...reviewed}
          onClose={() => setReviewed(undefined)}
          onRebase={setReviewed}
        />
      )}
    </Review.Provider>
  );
}

interface ReviewDialogProps extends Reviewed {
  readonly onClose: () => void;
  readonly onRebase: (reviewed: Reviewed) => void;
}

function ReviewDialog({ title, base, next, onSaved, clashes, onClose, onRebase }: ReviewDialogProps): ReactElement {
  const [theirs, setTheirs] = useState<AppProject>();
  const name = base.metadata.name ?? '';
  const deed = useDeed(() => {
    onClose();
    onSaved?.();
  });
  const save = (): void =>
    deed.run(`${name} was saved`, async () => {
      try {
        await api.ProjectService.Update({ project: projectToSend(base, next) });
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== callCodes.aborted) throw error;
        setTheirs(await api.ProjectService.Get({ name }));
        throw new Error('Nothing was saved: somebody else saved this project after you began.', { cause: error });
      }
      await readAgain(name);
    });
  const rebase = (latest: AppProject): void => {
    const { merged, clashes: both } = mergeOnto(base, next, latest);
    onRebase({ title, base: latest, next: merged, clashes: both, ...(onSaved && { onSaved }) });
  };
  const changes = listChanges(base, next);
  return (
    <FormDialog
      {...{ title, onClose }}
      // What happened is told above, with what to do about it.
      deed={theirs === undefined ? deed : { ...deed, failure: undefined }}
      isWide
      action="Save"
      disabledReason={
        changes.length === 0 ? 'Nothing would change' : theirs === undefined ? undefined : 'Somebody else saved it after you began'
      }
      onSubmit={save}
    >
      {theirs !== undefined && (
        <Notice tone="warn">
          <p>
            <strong>{deed.failure}</strong> What they changed:
          </p>
          <Changes changes={listChanges(base, theirs)} empty="Only what the server keeps, such as tokens." />
          <div className="row project-rebase">
            <Button onClick={() => rebase(theirs)}>Put my changes on top of theirs</Button>
          </div>
        </Notice>
      )}
      {clashes.length > 0 && (
        <Notice tone="warn">Somebody else changed {clashes.join(', ')} too; what you see here would replace what they wrote there.</Notice>
      )}
      <Changes changes={changes} empty="Nothing would change." />
      <div className="project-diff">
        <DiffView before={projectText(base)} after={projectText(next)} label="What would change" layout="unified" />
      </div>
    </FormDialog>
  );
}

function Changes({ changes, empty }: { readonly changes: readonly Change[]; readonly empty: string }): ReactElement {
  if (changes.length === 0) return <p className="soft">{empty}</p>;
  return (
    <ul className="project-changes">
      {changes.map(({ title, details }) => (
        <li key={title}>
          <strong>{title}</strong>
          {details.length > 0 && (
            <span className="user-text">
              : <UserText>{details.join('; ')}</UserText>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
