import { useState, type ReactElement } from 'react';
import type { AppProject } from '../../../../contract/gen/types.ts';
import { describeError } from '../../../api/index.ts';
import { Button, CodeView, Notice, Segments } from '../../../design/index.ts';
import { listChanges, projectText, readProjectText, withoutEmptyRows } from '../project-form.ts';
import { usePropose } from '../review.tsx';
import { findDraft, keepDraft, type Draft, useShown, useShownName } from '../use-project.ts';
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
  const name = useShownName();
  const [kept] = useState(() => findDraft(name));
  // What was there when editing began: changes by others meanwhile must not replace what is being written.
  const [base] = useState(kept?.base ?? shown);
  const [draft, setDraft] = useState(() => (kept === undefined ? base : readDraft(kept)));
  const [text, setText] = useState(() => kept?.text ?? projectText(draft));
  const [fault, setFault] = useState<string>();
  const propose = usePropose();
  const isChanged = mode === 'yaml' ? text !== projectText(base) : listChanges(base, draft).length > 0;
  const write = (next: AppProject): void => {
    setDraft(next);
    keepDraft(name, { base, draft: next });
  };
  const writeText = (next: string): void => {
    setText(next);
    keepDraft(name, { base, draft, text: next });
  };
  const close = (): void => {
    keepDraft(name, undefined);
    onClose();
  };
  /** What is written now; undefined, with the reason shown, where the text says no project. */
  const read = (): AppProject | undefined => {
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
    write(written);
    setText(projectText(written));
    onMode(next);
  };
  const review = (): void => {
    const next = read();
    if (next === undefined) return;
    write(next);
    propose({ title: `Change ${name}`, base, next, onSaved: close });
  };
  return (
    <div className="stack">
      <div className="row project-editor-head">
        <Segments label="How to edit" segments={MODES} value={mode} onChange={(next) => next !== mode && change(next)} />
        {kept !== undefined && <span className="soft">You go on with what you wrote before.</span>}
        <span className="grow" />
        <Button onClick={close}>Cancel</Button>
        <Button look="primary" disabledReason={isChanged ? undefined : 'Nothing is changed yet'} onClick={review}>
          Review and save
        </Button>
      </div>
      {fault !== undefined && <Notice tone="bad">{fault}</Notice>}
      {mode === 'form' ? (
        <RulesForm draft={draft} onChange={write} />
      ) : (
        <div className="project-yaml">
          <CodeView text={text} label="The project as YAML" onChange={writeText} />
        </div>
      )}
    </div>
  );
}

/** What was written last; a text that says no project is left to whoever goes on with the text. */
function readDraft({ base, draft, text }: Draft): AppProject {
  try {
    return text === undefined ? draft : readProjectText(text, base);
  } catch {
    return draft;
  }
}
