const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The name of the Secret that registers a cluster: its host for people, a hash of the whole address to tell two of one host apart. */
export function clusterSecretName(server: string): string {
  const { hostname } = new URL(server);
  const host = hostname.toLowerCase().replaceAll(/[[\]]/g, '').replaceAll(':', '-');
  return `cluster-${host}-${fnv1a(server)}`;
}

function fnv1a(text: string): number {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}
