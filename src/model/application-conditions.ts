import type { Application, ApplicationSource, AppProject } from '../contract/index.ts';
import type { ClusterIdentity } from './destination.ts';
import { permitsDestination, permitsSource } from './project/permits.ts';
import type { ProjectSurroundings } from './project/permits.ts';
import { hasMultipleSources, sourcesOf } from './sources-of.ts';

/** A problem of a spec, as a condition of the application's status names it. */
export interface SpecProblem {
  readonly type: 'InvalidSpecError';
  readonly message: string;
}

const problem = (message: string): SpecProblem => ({ type: 'InvalidSpecError', message });

/** What is wrong with an application's sources and names, whatever the project says. */
export function findSpecProblems(application: Application): readonly SpecProblem[] {
  const { sourceHydrator, sources = [] } = application.spec;
  if (sourceHydrator) return findHydratorProblems(sourceHydrator);
  const isMultiple = hasMultipleSources(application);
  const own = sourcesOf(application);
  if (own.length === 0) return [problem('spec.source.repoURL and either spec.source.path or spec.source.chart are required')];
  const problems = own.flatMap((source) => findSourceProblems(source, isMultiple));
  return isMultiple ? [...problems, ...findRepeatedNames(application, sources), ...findReferenceProblems(sources)] : problems;
}

function findSourceProblems(
  { repoURL, path = '', chart = '', ref = '', targetRevision = '' }: ApplicationSource,
  isMultiple: boolean,
): SpecProblem[] {
  const hasPlace = path !== '' || chart !== '' || (isMultiple && ref !== '');
  if (!repoURL || !hasPlace) {
    return isMultiple
      ? [problem('spec.source.repoURL and either source.path, source.chart, or source.ref are required for source')]
      : [problem('spec.source.repoURL and either spec.source.path or spec.source.chart are required')];
  }
  return chart !== '' && targetRevision === ''
    ? [problem('spec.source.targetRevision is required if the manifest source is a helm chart')]
    : [];
}

function findRepeatedNames({ metadata }: Application, sources: readonly ApplicationSource[]): SpecProblem[] {
  const seen = new Set<string>();
  for (const { name = '' } of sources) {
    if (name !== '' && seen.has(name)) return [problem(`application ${metadata.name ?? ''} has duplicate source name: ${name}`)];
    seen.add(name);
  }
  return [];
}

/** Whoever takes files from `$name` must not have to guess which source that is. */
function findReferenceProblems(sources: readonly ApplicationSource[]): SpecProblem[] {
  const references = sources.flatMap(({ ref = '' }) => (ref === '' ? [] : [ref]));
  const bad = references.find((ref) => !/^[A-Za-z0-9_-]+$/.test(ref));
  if (bad !== undefined) return [problem(`sources.ref ${bad} cannot contain any special characters except '_' and '-'`)];
  return new Set(references).size < references.length ? [problem('invalid sources: multiple sources had the same `ref` key')] : [];
}

function findHydratorProblems({ drySource, syncSource, hydrateTo }: NonNullable<Application['spec']['sourceHydrator']>): SpecProblem[] {
  return [
    ...(drySource.repoURL ? [] : [problem('spec.sourceHydrator.drySource.repoURL is required')]),
    ...(syncSource.targetBranch ? [] : [problem('spec.sourceHydrator.syncSource.targetBranch is required')]),
    ...(hydrateTo && !hydrateTo.targetBranch
      ? [problem('when spec.sourceHydrator.hydrateTo is set, spec.sourceHydrator.hydrateTo.targetBranch is required')]
      : []),
    ...findPathProblems('spec.sourceHydrator.drySource.path', drySource.path),
    ...findPathProblems('spec.sourceHydrator.syncSource.path', syncSource.path),
  ];
}

/** Whoever writes there must not be led out of the work tree, nor into what git keeps beside it. */
function findPathProblems(field: string, path = ''): SpecProblem[] {
  const steps = path.split(/[/\\]/);
  const isBad =
    /^[/\\]|^[A-Za-z]:|\0/.test(path) || steps.some((step) => step === '..' || /^\.git[ .]*$/i.test(step) || /^git~\d/i.test(step));
  return isBad ? [problem(`${field} must stay inside of the repository, and out of .git`)] : [];
}

/** Which rules of its project an application breaks with its sources and its destination. */
export function findProjectProblems(
  application: Application,
  project: AppProject,
  cluster: ClusterIdentity,
  surroundings: ProjectSurroundings = {},
): readonly SpecProblem[] {
  const { destination, sourceHydrator } = application.spec;
  const name = project.metadata.name ?? '';
  const dry = sourceHydrator ? [{ repoURL: sourceHydrator.drySource.repoURL }] : [];
  const sources = findForbiddenSources([...dry, ...sourcesOf(application)], project, surroundings);
  if (permitsDestination(project, cluster, destination.namespace ?? '', surroundings)) return sources;
  const server = destination.server || destination.name || '';
  const refused = `application destination server '${server}' and namespace '${destination.namespace ?? ''}'`;
  return [...sources, problem(`${refused} do not match any of the allowed destinations in project '${name}'`)];
}

/** Which sources the project does not permit. */
export function findForbiddenSources(
  sources: readonly Pick<ApplicationSource, 'repoURL'>[],
  project: AppProject,
  surroundings: ProjectSurroundings = {},
): readonly SpecProblem[] {
  const refused = sources.filter((source) => !permitsSource(project, source, surroundings));
  return refused.map(({ repoURL }) => problem(`application repo ${repoURL} is not permitted in project '${project.metadata.name ?? ''}'`));
}

/** Why the annotation that names the address of another control plane is no good; undefined where it is, or is not there. */
export function findManagedByUrlProblem({ metadata }: Application): SpecProblem | undefined {
  const address = metadata.annotations?.['argocd.argoproj.io/managed-by-url'];
  if (address === undefined || address === '') return undefined;
  if (!URL.canParse(address)) return problem(`invalid managed-by URL: ${address} is not an address`);
  const { protocol, host } = new URL(address);
  if ((protocol === 'http:' || protocol === 'https:') && host !== '') return undefined;
  return problem(`invalid managed-by URL: ${address} is not an http or https address`);
}

/** The problems in the words of the API: what a create or update is refused with. Empty where there are none. */
export function describeProblems(application: Application, problems: readonly SpecProblem[]): string {
  if (problems.length === 0) return '';
  const texts = problems.map(({ type, message }) => `${type}: ${message}`).join(';');
  return `application spec for ${application.metadata.name ?? ''} is invalid: ${texts}`;
}
