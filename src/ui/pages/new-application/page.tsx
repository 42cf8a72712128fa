import type { ReactElement } from 'react';
import { PageTitle, readText, useSearchValues } from '../../app/index.ts';
import { Segments } from '../../design/index.ts';
import { useDraft } from './use-draft.ts';
import { Wizard } from './wizard.tsx';
import { YamlForm } from './yaml-form.tsx';
import './new-application.css';

const WAYS = [
  { id: 'form', title: 'Step by step', icon: 'menu' },
  { id: 'yaml', title: 'From YAML', icon: 'code' },
] as const;

/** Creates applications: step by step, or from pasted YAML. */
export function Page(): ReactElement {
  const [search, change] = useSearchValues();
  const used = useDraft();
  const way = readText(search['way']) === 'yaml' ? 'yaml' : 'form';
  return (
    <div className="new-application">
      <header className="page-head">
        <PageTitle to="/applications" of="Applications">
          New application
        </PageTitle>
        <Segments
          label="How it is created"
          segments={WAYS}
          value={way}
          onChange={(id) => change({ way: id === 'form' ? undefined : id }, { replace: false })}
        />
      </header>
      {way === 'yaml' ? <YamlForm {...used} /> : <Wizard {...used} />}
    </div>
  );
}
