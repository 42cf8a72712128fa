/** How the messages of a gRPC-Web call are written: as they are, or as base64 text. */
export interface WebForm {
  /** The content type of the answer. */
  readonly contentType: string;
  readonly isText: boolean;
}

const binary: WebForm = { contentType: 'application/grpc-web+proto', isText: false };
const text: WebForm = { contentType: 'application/grpc-web-text+proto', isText: true };
const FORMS = new Map([
  ['application/grpc-web', binary],
  ['application/grpc-web+proto', binary],
  ['application/grpc-web-text', text],
  ['application/grpc-web-text+proto', text],
]);

/** Undefined for what is not gRPC-Web with protobuf messages. */
export function parseWebContentType(contentType: string): WebForm | undefined {
  return FORMS.get(contentType) ?? FORMS.get(contentType.split(';')[0]!.trim().toLowerCase());
}
