/** Where an application is shown: the same address as in Argo CD. */
export function applicationPath({ name = '', namespace = '' }: { readonly name?: string; readonly namespace?: string }): string {
  return `/applications/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
}
