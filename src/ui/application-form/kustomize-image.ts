/** An image that a kustomization is told to use: `[old=]name[:tag][@digest]`. */
export interface KustomizeImage {
  /** What the kustomization calls it. */
  readonly name: string;
  /** Another name instead; empty where it keeps its own. */
  readonly newName: string;
  /** A tag, or a digest with its `@`; empty where only the name changes. */
  readonly version: string;
}

export function parseImage(text: string): KustomizeImage {
  const equals = text.indexOf('=');
  const [name, target] = equals < 0 ? ['', text] : [text.slice(0, equals), text.slice(equals + 1)];
  const { base, version } = splitVersion(target);
  return name === '' || name === base ? { name: base, newName: '', version } : { name, newName: base, version };
}

export function formatImage({ name, newName, version }: KustomizeImage): string {
  const target = newName === '' ? name : newName;
  const end = version === '' || version.startsWith('@') ? version : `:${version}`;
  return `${newName === '' ? '' : `${name}=`}${target}${end}`;
}

/** A colon before the last slash is that of a port. */
function splitVersion(text: string): { readonly base: string; readonly version: string } {
  const at = text.indexOf('@');
  if (at >= 0) return { base: splitVersion(text.slice(0, at)).base, version: text.slice(at) };
  const colon = text.lastIndexOf(':');
  return colon <= text.lastIndexOf('/') ? { base: text, version: '' } : { base: text.slice(0, colon), version: text.slice(colon + 1) };
}

export interface ImageRow extends KustomizeImage {
  /** The tag that the kustomization has, where it names the image. */
  readonly present: string;
  readonly isChanged: boolean;
}

/** The images of a kustomization and what is told of them, one row for each. */
export function listImages(present: readonly string[], told: readonly string[]): readonly ImageRow[] {
  const rows = new Map<string, ImageRow>();
  for (const text of present) {
    const { name, newName, version } = parseImage(text);
    rows.set(newName || name, { name: newName || name, newName: '', version: '', present: version, isChanged: false });
  }
  for (const text of told) {
    const image = parseImage(text);
    rows.set(image.name, { ...image, present: rows.get(image.name)?.present ?? '', isChanged: true });
  }
  return [...rows.values()];
}

/** What to tell of the images: only those that are to be other than they are. */
export function tellImages(rows: readonly ImageRow[]): string[] {
  return rows.filter(({ name, newName, version }) => name !== '' && (newName !== '' || version !== '')).map(formatImage);
}
