import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import type { FileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** The message types of `@bufbuild/protobuf` for the contract, compiled from `proto/`. */
export function buildRegistry(): FileRegistry {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const image = execFileSync('node_modules/.bin/buf', ['build', '-o', '-#format=binpb'], { cwd: root, maxBuffer: 64 << 20 });
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
}
