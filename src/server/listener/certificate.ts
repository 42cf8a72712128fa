/** A certificate and its private key, as PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

/** Where the server's certificate comes from. */
export type CertificateSource =
  /** PEM files, read again when they change. */
  | { readonly kind: 'files'; readonly certificateFile: string; readonly keyFile: string }
  /** From elsewhere; asked again every other second. */
  | { readonly kind: 'provided'; readonly read: () => CertificatePair };
