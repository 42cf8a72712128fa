import { useMemo, type ReactElement } from 'react';

import { useCanSomewhere, useSettings } from '../../api/index.ts';
import { readText, useCommands, useSearchValues } from '../../app/index.ts';
import { Button, Segments } from '../../design/index.ts';
import { emptyEntry } from './entry.ts';
import { families, type FamilyId } from './families.ts';
import { RepositoryForm } from './repository-form.tsx';
import { RepositoryList } from './repository-list.tsx';
import { TemplateList } from './template-list.tsx';
import './repositories.css';

type View = 'read' | 'templates' | 'write' | 'write-templates';

const VIEWS: readonly { readonly id: View; readonly title: string }[] = [
  { id: 'read', title: 'Repositories' },
  { id: 'templates', title: 'Credential templates' },
];
/** For installations that write rendered manifests back. */
const WRITE_VIEWS: typeof VIEWS = [
  { id: 'write', title: 'Written to' },
  { id: 'write-templates', title: 'Templates for writing' },
];

/** Where manifests come from, and the credentials for it. */
export function Page(): ReactElement {
  const [search, change] = useSearchValues();
  const hasWrite = useSettings()?.hydratorEnabled === true;
  const views = hasWrite ? [...VIEWS, ...WRITE_VIEWS] : VIEWS;
  const view = views.find(({ id }) => id === readText(search['view']))?.id ?? 'read';
  const id: FamilyId = view.startsWith('write') ? 'write' : 'read';
  const isTemplates = view.endsWith('templates');
  const permission = useCanSomewhere(families[id].resource, 'create');
  const add = (): void => change({ add: isTemplates ? 'template' : 'repository' }, { replace: false });
  useCommands(
    useMemo(
      () => [
        {
          id: 'repository-add',
          title: 'Add a repository',
          group: 'Repositories',
          icon: 'plus',
          keys: 'n',
          run: () => change({ add: 'repository' }),
        },
      ],
      [change],
    ),
  );
  const actions = (
    <>
      <Segments label="View" segments={views} value={view} onChange={(next) => change({ view: next === 'read' ? undefined : next })} />
      <Button look="primary" icon="plus" permission={permission} onClick={add}>
        {isTemplates ? 'Add a template' : 'Add a repository'}
      </Button>
    </>
  );
  const adding = readText(search['add']);
  return (
    <>
      {isTemplates ? <TemplateList family={families[id]} actions={actions} /> : <RepositoryList family={families[id]} actions={actions} />}
      {(adding === 'repository' || adding === 'template') && (
        <RepositoryForm
          family={families[id]}
          start={emptyEntry(adding === 'template', readText(search['url']))}
          isStored={false}
          onClose={() => change({ add: undefined, url: undefined })}
        />
      )}
    </>
  );
}
