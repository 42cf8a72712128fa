/** Where the server's certificate comes from. */
export type CertificateSource =
  /** PEM files, read again when they change. */
  | { readonly kind: 'files'; readonly certificateFile: string; readonly keyFile: string }
  /** One of our own, made on first start and kept in `folder`; `host` is what we listen on. */
  | { readonly kind: 'self-signed'; readonly folder: string; readonly host: string };
