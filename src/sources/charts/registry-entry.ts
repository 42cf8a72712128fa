/** A chart that an index has in a registry. */
export interface RegistryEntry {
  /** `oci://…`, without the name of the chart. */
  readonly url: string;
  readonly name: string;
  /** A tag or a digest; empty where the version is the tag. */
  readonly reference: string;
}

const ADDRESS = /^(oci:\/\/[^?#]+)\/([^/:@?#]+)(?::([^/:@?#]+))?(?:@([^/@?#]+))?$/i;

/** Reads `oci://host/path/name`, with or without a tag and a digest, which counts where there are both; undefined for what is none. */
export function parseRegistryEntry(address: string): RegistryEntry | undefined {
  const [, url, name, tag = '', digest = ''] = ADDRESS.exec(address) ?? [];
  return url === undefined || name === undefined ? undefined : { url, name, reference: digest || tag };
}
