import { useMemo, useState, type ReactElement } from 'react';
import type { ManifestResponse } from '../../../contract/gen/types.ts';
import { api, describeError } from '../../api/index.ts';
import { applicationPath, AppLink, useGo } from '../../app/index.ts';
import { RenderedManifests, renderApplication } from '../../application-form/index.ts';
import { Badge, Button, CodeView, Notice, showToast } from '../../design/index.ts';
import { readDocuments, type NewApplication, type ReadDocument } from './read-documents.ts';
import type { UsedDraft } from './use-draft.ts';

type Result =
  | { readonly state: 'busy' }
  | { readonly state: 'good'; readonly answer: ManifestResponse }
  | { readonly state: 'bad'; readonly message: string }
  | { readonly state: 'created'; readonly path: string };

const EXAMPLE = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: web
spec:
  project: default
  source:
    repoURL: https://git.example.com/team/deploy.git
    path: apps/web
    targetRevision: HEAD
  destination:
    server: https://kubernetes.default.svc
    namespace: web
  syncPolicy:
    syncOptions: [CreateNamespace=true]
`;

/** Applications from pasted YAML: each is checked and rendered, then those that are right are created. */
export function YamlForm({ draft, change }: UsedDraft): ReactElement {
  const [start] = useState(draft.yaml || EXAMPLE);
  const [text, setText] = useState(start);
  const edit = (yaml: string): void => {
    setText(yaml);
    change({ yaml });
  };
  const documents = useMemo(() => readDocuments(text), [text]);
  const { results, isBusy, check, create } = useResults(documents);
  const good = documents.filter(({ key }) => results.get(key)?.state === 'good');
  const open = documents.filter(({ key, problem }) => problem === undefined && !results.has(key));
  return (
    <div className="yaml-form">
      <section className="card yaml-form-editor" aria-label="Applications as YAML">
        <CodeView text={start} label="Applications as YAML" onChange={edit} />
      </section>
      <div className="stack">
        <p className="soft">One or several documents, separated by ---. Applications with several sources are created here, too.</p>
        {documents.length === 0 && <Notice>Paste an application, or several.</Notice>}
        {documents.map((document) => (
          <DocumentCard key={`${document.line} ${document.title}`} document={document} result={results.get(document.key)} />
        ))}
        <div className="row wizard-foot">
          <span className="grow" />
          <Button
            isBusy={isBusy}
            disabledReason={open.length === 0 ? 'Everything that can be read has been checked' : undefined}
            onClick={() => void check(open)}
          >
            Check and render
          </Button>
          <Button
            look="primary"
            icon="check"
            isBusy={isBusy}
            disabledReason={good.length === 0 ? 'Check what is there first' : undefined}
            onClick={() => void create(good)}
          >
            {good.length > 1 ? `Create ${good.length} applications` : good.length === 1 ? `Create ${good[0]!.title}` : 'Create'}
          </Button>
        </div>
      </div>
    </div>
  );
}

interface Results {
  readonly results: ReadonlyMap<string, Result>;
  readonly isBusy: boolean;
  readonly check: (documents: readonly ReadDocument[]) => Promise<void>;
  readonly create: (documents: readonly ReadDocument[]) => Promise<void>;
}

/** What became of each document; one that is changed is another one, and not checked yet. */
function useResults(documents: readonly ReadDocument[]): Results {
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const go = useGo();
  const run = async (
    chosen: readonly ReadDocument[],
    deed: (application: NewApplication) => Promise<Result>,
  ): Promise<readonly Result[]> => {
    setBusy(true);
    const done: Result[] = [];
    // One after the other: rendering is work for the server.
    for (const { key, application } of chosen) {
      if (application === undefined) continue;
      setResults((before) => new Map(before).set(key, { state: 'busy' }));
      const result = await deed(application).catch((error: unknown): Result => ({ state: 'bad', message: describeError(error) }));
      done.push(result);
      setResults((before) => new Map(before).set(key, result));
    }
    setBusy(false);
    return done;
  };
  return {
    results,
    isBusy,
    check: async (chosen) =>
      void (await run(chosen, async (application) => ({ state: 'good', answer: await renderApplication(application) }))),
    async create(chosen) {
      const done = await run(chosen, async (application) => {
        const { metadata } = await api.ApplicationService.Create({ application, validate: true });
        return { state: 'created', path: applicationPath(metadata) };
      });
      const created = done.filter((result) => result.state === 'created');
      if (created.length > 0)
        showToast('good', created.length === 1 ? 'One application was created' : `${created.length} applications were created`);
      // The only one that there was: its page is where one wants to be.
      if (documents.length === 1 && created.length === 1) go(created[0]!.path);
    },
  };
}

function DocumentCard({ document, result }: { readonly document: ReadDocument; readonly result: Result | undefined }): ReactElement {
  const { title, line, problem, application } = document;
  return (
    <section className="card yaml-document" aria-label={title || `The document at line ${line}`}>
      <h2 className="row">
        <bdi className="one-line">{title || 'Without a name'}</bdi>
        <span className="faint yaml-line">line {line}</span>
        <span className="grow" />
        <State problem={problem} result={result} />
      </h2>
      {application !== undefined && <p className="faint">{describeSources(application)}</p>}
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      {result?.state === 'bad' && (
        <Notice tone="bad">
          <span className="wizard-why">{result.message}</span>
        </Notice>
      )}
      {result?.state === 'created' && (
        <p>
          <AppLink to={result.path}>Go to {title}</AppLink>
        </p>
      )}
      {result?.state === 'good' && (
        <details className="form-more" open>
          <summary>What would be deployed</summary>
          <RenderedManifests answer={result.answer} />
        </details>
      )}
    </section>
  );
}

function State({ problem, result }: { readonly problem: string | undefined; readonly result: Result | undefined }): ReactElement {
  if (problem !== undefined || result?.state === 'bad') return <Badge tone="bad">wrong</Badge>;
  if (result?.state === 'created') return <Badge tone="good">created</Badge>;
  if (result?.state === 'good') return <Badge tone="good">ready</Badge>;
  return <Badge tone={result?.state === 'busy' ? 'busy' : 'mute'}>{result?.state === 'busy' ? 'rendering' : 'not checked yet'}</Badge>;
}

function describeSources({ spec }: NewApplication): string {
  const count = spec.sources?.length ?? 0;
  return `project ${spec.project || 'default'}${count > 0 ? `, ${count} sources` : ''}`;
}
