/** How the messages of a gRPC-Web call are written: as they are, or as base64 text. */
export interface WebForm {
  /** The content type of the answer. */
  readonly contentType: string;
  readonly isText: boolean;
}

const FORMS: Readonly<Record<string, WebForm>> = {
  'application/grpc-web': { contentType: 'application/grpc-web+proto', isText: false },
  'application/grpc-web+proto': { contentType: 'application/grpc-web+proto', isText: false },
  'application/grpc-web-text': { contentType: 'application/grpc-web-text+proto', isText: true },
  'application/grpc-web-text+proto': { contentType: 'application/grpc-web-text+proto', isText: true },
};

/** Undefined for what is not gRPC-Web with protobuf messages. */
export function parseWebContentType(contentType: string): WebForm | undefined {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  return Object.hasOwn(FORMS, type) ? FORMS[type] : undefined;
}
