import type { DescFile } from '@bufbuild/protobuf';
import type { Comments } from './contract.ts';

/** Where a descriptor's parts are, as numbers of `google.protobuf.FileDescriptorProto` and `DescriptorProto`. */
const MESSAGES = 4;
const SERVICES = 6;
const MEMBERS = 2;

/** Indexes the comments of the given files. */
export function readComments(files: readonly DescFile[]): Comments {
  const comments = new Map<string, string>();
  for (const file of files) {
    const located = new Map<string, string>();
    for (const location of file.proto.sourceCodeInfo?.location ?? [])
      located.set(location.path.join('.'), plainText(location.leadingComments));
    file.messages.forEach((message, index) => {
      comments.set(message.typeName, located.get(`${MESSAGES}.${index}`) ?? '');
      message.fields.forEach((field, position) =>
        comments.set(`${message.typeName}.${field.jsonName}`, located.get(`${MESSAGES}.${index}.${MEMBERS}.${position}`) ?? ''),
      );
    });
    file.services.forEach((service, index) => {
      comments.set(service.typeName, located.get(`${SERVICES}.${index}`) ?? '');
      service.methods.forEach((method, position) =>
        comments.set(`${service.typeName}.${method.name}`, located.get(`${SERVICES}.${index}.${MEMBERS}.${position}`) ?? ''),
      );
    });
  }
  const find = (name: string): string => comments.get(name) ?? '';
  return {
    ofService: find,
    ofMethod: (service, method) => find(`${service}.${method}`),
    ofMessage: find,
    ofField: (message, jsonName) => find(`${message}.${jsonName}`),
  };
}

function plainText(comment: string): string {
  return comment.trim().replaceAll(/\s+/g, ' ');
}
