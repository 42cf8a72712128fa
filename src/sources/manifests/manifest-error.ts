/** A text that cannot be read as manifests; the message is fit for a caller. */
export class ManifestError extends Error {}
