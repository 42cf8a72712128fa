/** True for gRPC with protobuf messages; parameters are allowed. */
export function isGrpcContentType(contentType: string): boolean {
  return contentType === 'application/grpc' || /^application\/grpc(?:\+proto)?\s*(?:;|$)/i.test(contentType);
}
