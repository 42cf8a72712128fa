import { useRef, useState, type ReactElement } from 'react';
import { parse } from 'yaml';
import type { ApplicationSet } from '../../../contract/gen/types.ts';
import { api, queryClient } from '../../api/index.ts';
import { nameChanges } from '../../design/index.ts';
import { SetEditor } from '../application-sets/editor/set-editor.tsx';
import { setToYaml } from '../application-sets/editor/set-yaml.ts';
import { useShownSet } from './use-application-set.ts';

/** The set as a text to change, with what the change would do. */
export function EditSet({ onClose }: { readonly onClose: () => void }): ReactElement {
  const shown = useShownSet();
  // What was there when editing began: changes by others meanwhile must not overwrite what is being typed.
  const [start] = useState(() => setToYaml(shown));
  // As it was when they last had a chance to see it: what others did since must not be lost unseen.
  const seen = useRef(start);
  const { name = '', namespace = '' } = shown.metadata;
  const save = async (set: ApplicationSet): Promise<void> => {
    if (set.metadata.name !== name || (set.metadata.namespace ?? namespace) !== namespace)
      throw new Error(`This is ${namespace}/${name}: another name would make another set. Create that one from the list.`);
    // The API takes no version of a set, so it is read right before.
    const now = setToYaml(await api.ApplicationSetService.Get({ name, appsetNamespace: namespace }));
    if (now !== seen.current) {
      const fields = nameChanges(parse(seen.current), parse(now));
      seen.current = now;
      throw new Error(
        `${name} was changed by somebody else meanwhile: ${fields}. Nothing was saved, and what you typed is still here. ` +
          'Preview it again to see what it would do now; saving it after that replaces what they changed.',
      );
    }
    await api.ApplicationSetService.Create({ applicationset: { ...set, metadata: { ...set.metadata, namespace } }, upsert: true });
    await queryClient.invalidateQueries({ queryKey: ['application-set'] });
  };
  return <SetEditor start={start} action="update" onSave={save} onDone={onClose} onCancel={onClose} />;
}
