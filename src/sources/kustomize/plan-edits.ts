import { ApiError, Code } from '../../base/index.ts';
import type { ApplicationSource } from '../../contract/index.ts';
import { substitute } from '../build-environment.ts';

type Kustomize = NonNullable<ApplicationSource['kustomize']>;

/** Whether a source changes the kustomization before it is built. */
export function hasEdits(kustomize: Kustomize): boolean {
  const { namePrefix, nameSuffix, namespace, images, replicas, commonLabels, commonAnnotations, patches, components } = kustomize;
  const hasText = [namePrefix, nameSuffix, namespace].some((text) => (text ?? '') !== '');
  const hasList = [images, replicas, patches, components].some((list) => (list?.length ?? 0) > 0);
  return hasText || hasList || [commonLabels, commonAnnotations].some((map) => Object.keys(map ?? {}).length > 0);
}

/** The commands of `kustomize edit`, in their order, up to where patches are added to the file. */
export function planEdits(kustomize: Kustomize, environment: ReadonlyMap<string, string>): string[][] {
  const {
    namePrefix = '',
    nameSuffix = '',
    namespace = '',
    images = [],
    replicas = [],
    commonLabels = {},
    commonAnnotations = {},
  } = kustomize;
  const edits: string[][] = [];
  if (namePrefix !== '') edits.push(['edit', 'set', 'nameprefix', '--', namePrefix]);
  if (nameSuffix !== '') edits.push(['edit', 'set', 'namesuffix', '--', nameSuffix]);
  if (images.length > 0) edits.push(['edit', 'set', 'image', '--', ...images.map((image) => substitute(image, environment))]);
  if (replicas.length > 0)
    edits.push(['edit', 'set', 'replicas', '--', ...replicas.map(({ name, count }) => `${name}=${readCount(count)}`)]);
  if (Object.keys(commonLabels).length > 0) {
    const flags = [
      ...(kustomize.forceCommonLabels === true ? ['--force'] : []),
      ...(kustomize.labelWithoutSelector === true ? ['--without-selector'] : []),
      ...(kustomize.labelIncludeTemplates === true ? ['--include-templates'] : []),
    ];
    edits.push(['edit', 'add', 'label', ...flags, '--', ...pairs(commonLabels, (value) => substitute(value, environment))]);
  }
  if (Object.keys(commonAnnotations).length > 0) {
    const flags = kustomize.forceCommonAnnotations === true ? ['--force'] : [];
    const isSubstituted = kustomize.commonAnnotationsEnvsubst === true;
    const values = pairs(commonAnnotations, (value) => (isSubstituted ? substitute(value, environment) : value));
    edits.push(['edit', 'add', 'annotation', ...flags, '--', ...values]);
  }
  if (namespace !== '') edits.push(['edit', 'set', 'namespace', '--', namespace]);
  return edits;
}

function pairs(map: Readonly<Record<string, string>>, change: (value: string) => string): string[] {
  return Object.keys(map)
    .sort()
    .map((name) => `${name}:${change(map[name] ?? '')}`);
}

function readCount(count: string | number): string {
  const text = String(count);
  if (!/^-?\d+$/.test(text)) throw new ApiError(Code.Unknown, `expected integer value for count. Received: ${text}`);
  return text;
}
