import { statusError } from '../../objects/index.ts';

/** How a client wants objects: whole, as rows for people, or their metadata alone. */
export type ObjectForm = 'object' | 'table' | 'metadata';

const TABLE = 'Table';
const METADATA: readonly string[] = ['PartialObjectMetadata', 'PartialObjectMetadataList'];

interface MediaType {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The first form in the `accept` header that we have. */
export function chooseForm(accept: string | undefined): ObjectForm {
  if (accept === undefined || accept === '') return 'object';
  for (const { name, parameters } of parseMediaTypes(accept)) {
    const as = parameters.get('as');
    if (!isJson(name)) continue;
    if (as === undefined) return 'object';
    if (parameters.get('g') !== 'meta.k8s.io' || parameters.get('v') !== 'v1') continue;
    if (as === TABLE) return 'table';
    if (METADATA.includes(as)) return 'metadata';
  }
  const types = 'application/json';
  throw statusError('NotAcceptable', `only the following media types are accepted: ${types}`);
}

/** The version of the aggregated discovery that a client prefers to the older form; undefined when it knows only that. */
export function chooseDiscovery(accept: string | undefined): 'v2' | 'v2beta1' | undefined {
  for (const { name, parameters } of parseMediaTypes(accept ?? '')) {
    const version = parameters.get('v');
    if (!isJson(name)) continue;
    if (parameters.get('as') === undefined) return undefined;
    const isKnown = parameters.get('as') === 'APIGroupDiscoveryList' && parameters.get('g') === 'apidiscovery.k8s.io';
    if (isKnown && (version === 'v2' || version === 'v2beta1')) return version;
  }
  return undefined;
}

function parseMediaTypes(accept: string): readonly MediaType[] {
  return accept.split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    return { name: name.toLowerCase(), parameters: new Map(parameters.map((parameter) => splitOnce(parameter, '='))) };
  });
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function isJson(name: string): boolean {
  return name === 'application/json' || name === '*/*' || name === 'application/*';
}
