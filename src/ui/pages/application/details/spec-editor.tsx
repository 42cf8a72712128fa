import { useState, type ReactElement } from 'react';
import { parse } from 'yaml';
import type { ApplicationSpec } from '../../../../contract/gen/types.ts';
import { Button, CodeView, Notice, useDeed } from '../../../design/index.ts';
import { yamlOf } from '../resource/yaml-text.ts';
import { useShown, useShownName } from '../use-application.ts';
import { saveSpec } from './save-spec.ts';

/** All of the specification as YAML. */
export function SpecEditor({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { spec } = useShown();
  const name = useShownName();
  // What was there when editing began: changes by others meanwhile must not overwrite what is being typed.
  const [before] = useState(spec);
  const [start] = useState(() => yamlOf(spec));
  const [text, setText] = useState(start);
  const { failure, isBusy, run } = useDeed(onClose);
  const save = (): void => run(`${name.name} was changed`, async () => saveSpec(name, before, parse(text) as ApplicationSpec));
  return (
    <div className="stack details">
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      <CodeView text={start} label="Specification of the application" onChange={setText} />
      <div className="row details-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" isBusy={isBusy} disabledReason={text === start ? 'Nothing is changed yet' : undefined} onClick={save}>
          Save
        </Button>
      </div>
    </div>
  );
}
