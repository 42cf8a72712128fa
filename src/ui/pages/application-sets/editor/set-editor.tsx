import { useMemo, useRef, useState, type ReactElement } from 'react';
import type { ApplicationSet } from '../../../../contract/gen/types.ts';
import { describeError, useCan } from '../../../api/index.ts';
import { Button, CodeView, EmptyState, Loading, Notice, useDeed, UserText, formatCount } from '../../../design/index.ts';
import { policyObject } from '../set-state.ts';
import { PreviewResult } from './preview-result.tsx';
import { previewSet, type PreviewedChange } from './preview-set.ts';
import { parseSet } from './set-yaml.ts';
import './editor.css';

interface SetEditorProps {
  /** The text to begin with. */
  readonly start: string;
  readonly action: 'create' | 'update';
  /** Stores the set. */
  readonly onSave: (set: ApplicationSet) => Promise<unknown>;
  /** It is stored. */
  readonly onDone: (set: ApplicationSet) => void;
  readonly onCancel: () => void;
}

type Tried =
  | { readonly text: string; readonly state: 'busy' }
  | { readonly text: string; readonly state: 'done'; readonly changes: readonly PreviewedChange[] }
  | { readonly text: string; readonly state: 'failed'; readonly reason: string };

const VERBS = { create: 'Create', update: 'Save' } as const;

/** The text of a set beside what it would do. Nothing is stored before somebody had a look at that. */
export function SetEditor({ start, action, onSave, onDone, onCancel }: SetEditorProps): ReactElement {
  const [text, setText] = useState(start);
  const [tried, setTried] = useState<Tried>();
  const latest = useRef<AbortController>(undefined);
  const parsed = useMemo(() => tryParse(text), [text]);
  const set = parsed instanceof Error ? undefined : parsed;
  const permission = useCan('applicationsets', action, set === undefined ? '*/*' : policyObject(set));
  const deed = useDeed(() => set && onDone(set));
  const preview = (): void => {
    if (set === undefined) return setTried({ text, state: 'failed', reason: describeError(parsed) });
    latest.current?.abort();
    const current = (latest.current = new AbortController());
    setTried({ text, state: 'busy' });
    previewSet(set, current.signal)
      .then((changes) => !current.signal.aborted && setTried({ text, state: 'done', changes }))
      .catch((error: unknown) => !current.signal.aborted && setTried({ text, state: 'failed', reason: describeError(error) }));
  };
  const triedNow = tried?.text === text ? tried : undefined;
  const leaving = triedNow?.state === 'done' ? triedNow.changes.filter(({ kind }) => kind === 'delete').length : 0;
  const save = (wanted: ApplicationSet): void =>
    deed.run(`${wanted.metadata.name} was ${action}d`, () =>
      onSave(wanted).catch((error: unknown) => {
        // What was looked at may not hold any more.
        setTried(undefined);
        throw error;
      }),
    );
  return (
    <div className="set-editor">
      <section className="set-editor-side" aria-label="Text">
        <div className="row set-editor-bar">
          <h2 className="grow">ApplicationSet</h2>
          <Button icon="play" isBusy={tried?.state === 'busy'} onClick={preview}>
            Preview
          </Button>
        </div>
        <div className="set-editor-code">
          <CodeView text={start} label="ApplicationSet as YAML" onChange={setText} />
        </div>
      </section>
      <section className="set-editor-side" aria-label="Preview" aria-live="polite">
        <div className="row set-editor-bar">
          <h2 className="grow">What it would do</h2>
          {tried !== undefined && tried.text !== text && <span className="faint">of the text before</span>}
        </div>
        <Outcome tried={tried} />
      </section>
      <footer className="set-editor-foot">
        {deed.failure !== undefined && (
          <div className="grow" role="alert">
            <Notice tone="bad">{deed.failure}</Notice>
          </div>
        )}
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          look={leaving > 0 ? 'danger' : 'primary'}
          permission={set === undefined ? undefined : permission}
          isBusy={deed.isBusy}
          disabledReason={action === 'update' && text === start ? 'Nothing is changed yet' : whyNotYet(triedNow)}
          onClick={() => set && save(set)}
        >
          {leaving === 0 ? VERBS[action] : `${VERBS[action]} and delete ${formatCount(leaving, 'application')}`}
        </Button>
      </footer>
    </div>
  );
}

/** Why what was tried is not ready to be stored. */
function whyNotYet(tried: Tried | undefined): string | undefined {
  if (tried?.state === 'failed') return 'The preview failed: nobody knows what it would do';
  return tried?.state === 'done' ? undefined : 'Look at the preview first';
}

function Outcome({ tried }: { readonly tried: Tried | undefined }): ReactElement {
  if (tried === undefined)
    return (
      <EmptyState icon="play" title="Not tried yet">
        Press Preview: the generators run, and you see which applications would be created, changed and deleted. Nothing is stored by that.
      </EmptyState>
    );
  if (tried.state === 'busy') return <Loading what="Generating" />;
  if (tried.state === 'done') return <PreviewResult changes={tried.changes} />;
  return (
    <Notice tone="bad">
      <p className="preview-message">
        <UserText>{tried.reason}</UserText>
      </p>
    </Notice>
  );
}

function tryParse(text: string): ApplicationSet | Error {
  try {
    return parseSet(text);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
