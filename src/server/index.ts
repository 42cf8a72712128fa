/** The API server: one port for gRPC, gRPC-Web, REST and plain HTTP routes, and the services behind it. */
export { attachEncoded } from './encoded.ts';
export { defaultLimits } from './limits.ts';
export { createServer } from './server.ts';
export type { Call, ClientStreamHandler, ServerStreamHandler, Transport, UnaryHandler } from './call.ts';
export type { EncodedForms } from './encoded.ts';
export type { CallLabels, RefusalReason, ServerHooks } from './hooks.ts';
export type { HttpHandler, HttpReply, HttpRequest } from './http.ts';
export type { Limits } from './limits.ts';
export type { CertificateSource } from './listener/certificate.ts';
export type { ListenAddress } from './listener/listen.ts';
export type { FairwayServer, ServerOptions, TlsOptions } from './server.ts';
export type { Authenticate } from './transports/core/core.ts';
export type { ServiceHandlers } from './transports/core/method-table.ts';
export type { PlainRoute } from './transports/plain-routes.ts';
