import { useState, type ReactElement } from 'react';
import { describeError } from '../../../api/index.ts';
import { Button, CodeView, Notice, Segments } from '../../../design/index.ts';
import { listChanges, projectText, readProjectText, withoutEmptyRows } from '../project-form.ts';
import { usePropose } from '../review.tsx';
import { useShown } from '../use-project.ts';
import { RulesForm } from './rules-form.tsx';

type Mode = 'form' | 'yaml';

const MODES = [
  { id: 'form', title: 'Form' },
  { id: 'yaml', title: 'YAML' },
] as const;

interface EditorProps {
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  readonly onClose: () => void;
}

/** The whole project, by form or as text. Both write the same draft. */
export function ProjectEditor({ mode, onMode, onClose }: EditorProps): ReactElement {
  const shown = useShown();
  // What was there when editing began: changes by others meanwhile must not replace what is being written.
  const [base] = useState(shown);
  const [draft, setDraft] = useState(base);
  const [text, setText] = useState(() => projectText(base));
  const [fault, setFault] = useState<string>();
  const propose = usePropose();
  const isChanged = mode === 'yaml' ? text !== projectText(base) : listChanges(base, draft).length > 0;
  /** What is written now; undefined, with the reason shown, where the text says no project. */
  const read = (): typeof base | undefined => {
    setFault(undefined);
    if (mode === 'form') return withoutEmptyRows(draft);
    try {
      return readProjectText(text, base);
    } catch (error) {
      setFault(describeError(error));
      return undefined;
    }
  };
  const change = (next: Mode): void => {
    const written = read();
    if (written === undefined) return;
    setDraft(written);
    setText(projectText(written));
    onMode(next);
  };
  const review = (): void => {
    const next = read();
    if (next !== undefined) propose({ title: `Change ${base.metadata.name ?? ''}`, base, next, onSaved: onClose });
  };
  return (
    <div className="stack">
      <div className="row project-editor-head">
        <Segments label="How to edit" segments={MODES} value={mode} onChange={(next) => next !== mode && change(next)} />
        <span className="grow" />
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabledReason={isChanged ? undefined : 'Nothing is changed yet'} onClick={review}>
          Review and save
        </Button>
      </div>
      {fault !== undefined && <Notice tone="bad">{fault}</Notice>}
      {mode === 'form' ? (
        <RulesForm draft={draft} onChange={setDraft} />
      ) : (
        <div className="project-yaml">
          <CodeView text={text} label="The project as YAML" onChange={setText} />
        </div>
      )}
    </div>
  );
}
