import { useState, type ReactElement } from 'react';
import type { ApplicationSet } from '../../../contract/gen/types.ts';
import { api, queryClient } from '../../api/index.ts';
import { SetEditor } from '../application-sets/editor/set-editor.tsx';
import { setToYaml } from '../application-sets/editor/set-yaml.ts';
import { useShownSet } from './use-application-set.ts';

/** The set as a text to change, with what the change would do. */
export function EditSet({ onClose }: { readonly onClose: () => void }): ReactElement {
  const shown = useShownSet();
  // What was there when editing began: changes by others meanwhile must not overwrite what is being typed.
  const [start] = useState(() => setToYaml(shown));
  const { name = '', namespace = '' } = shown.metadata;
  const save = async (set: ApplicationSet): Promise<void> => {
    if (set.metadata.name !== name || (set.metadata.namespace ?? namespace) !== namespace)
      throw new Error(`This is ${namespace}/${name}: another name would make another set. Create that one from the list.`);
    await api.ApplicationSetService.Create({ applicationset: { ...set, metadata: { ...set.metadata, namespace } }, upsert: true });
    await queryClient.invalidateQueries({ queryKey: ['application-set'] });
  };
  return <SetEditor start={start} action="update" onSave={save} onDone={onClose} onCancel={onClose} />;
}
