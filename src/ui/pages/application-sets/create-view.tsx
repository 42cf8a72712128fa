import type { ReactElement } from 'react';
import { api } from '../../api/index.ts';
import { PageTitle, useGo } from '../../app/index.ts';
import { SetEditor } from './editor/set-editor.tsx';
import { applicationSetPath } from './set-state.ts';

/** Something to change: a whole set, that makes one application for each element. */
const EXAMPLE = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: example
spec:
  goTemplate: true
  goTemplateOptions: [missingkey=error]
  generators:
    - list:
        elements:
          - name: one
          - name: two
  template:
    metadata:
      name: example-{{ .name }}
    spec:
      project: default
      source:
        repoURL: https://git.example.com/example.git
        targetRevision: HEAD
        path: "{{ .name }}"
      destination:
        name: in-cluster
        namespace: example-{{ .name }}
`;

/** A new set, from pasted text. */
export function CreateView({ onClose }: { readonly onClose: () => void }): ReactElement {
  const go = useGo();
  return (
    <div className="application-sets">
      <header className="page-head">
        <PageTitle to="/applicationsets" of="ApplicationSets">
          New
        </PageTitle>
      </header>
      <div className="application-sets-new">
        <SetEditor
          start={EXAMPLE}
          action="create"
          // One of the same name is refused, not replaced.
          onSave={(set) => api.ApplicationSetService.Create({ applicationset: set })}
          onDone={({ metadata }) =>
            go(metadata.namespace ? applicationSetPath(metadata) : `/applicationsets/${encodeURIComponent(metadata.name ?? '')}`)
          }
          onCancel={onClose}
        />
      </div>
    </div>
  );
}
