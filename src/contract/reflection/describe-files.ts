import { messages, methods } from '../gen/schema.ts';
import type { FieldSchema, MessageSchema, MethodSchema, ScalarType, SingleType } from '../schema.ts';
import { bytesPiece, numberPiece, textPiece } from './wire-pieces.ts';

/** A package of the contract as a `google.protobuf.FileDescriptorProto`, and what is in it. */
export interface DescribedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Names of the files that it needs. */
  readonly dependencies: readonly string[];
  /** Full names of its messages, services and methods. */
  readonly symbols: readonly string[];
}

/** The numbers that descriptors have for these. */
const SCALARS: Readonly<Record<ScalarType, number>> = { int64: 3, int32: 5, bool: 8, string: 9, bytes: 12 };
const MESSAGE = 11;
const OPTIONAL = 1;
const REPEATED = 3;

/**
 * One file for each package. All fields are optional ones of proto2: on the wire there is no difference, and whoever reads them learns
 * what is there.
 */
export function describeFiles(): readonly DescribedFile[] {
  const packages = Map.groupBy(messages, ({ name }) => packageOf(name));
  return [...packages].map(([name, ofPackage]) => describeFile(name, ofPackage));
}

function describeFile(name: string, ofPackage: readonly MessageSchema[]): DescribedFile {
  const called = methods.filter(({ service }) => packageOf(service) === name);
  const services = Map.groupBy(called, ({ service }) => service);
  const used = [
    ...ofPackage.flatMap(({ fields }) => fields.map(messageIn).filter((message) => message !== undefined)),
    ...called.flatMap(({ input, output }) => [input, output]),
  ];
  const dependencies = [...new Set(used.map(packageOf))].filter((other) => other !== name).map(fileOf);
  const pieces = [
    textPiece(1, fileOf(name)),
    textPiece(2, name),
    ...dependencies.map((dependency) => textPiece(3, dependency)),
    ...ofPackage.map((message) => bytesPiece(4, describeMessage(message))),
    ...[...services].map(([service, ofService]) => bytesPiece(6, describeService(service, ofService))),
  ];
  const symbols = [...ofPackage.map((message) => message.name), ...services.keys(), ...called.map((one) => `${one.service}.${one.name}`)];
  return { name: fileOf(name), bytes: Buffer.concat(pieces), dependencies, symbols };
}

function describeMessage({ name, fields }: MessageSchema): Uint8Array {
  const pieces = [textPiece(1, simpleName(name)), ...fields.map((field) => bytesPiece(2, describeField(name, field)))];
  for (const field of fields) if (field.type.kind === 'map') pieces.push(bytesPiece(3, describeEntry(field, field.type.value)));
  return Buffer.concat(pieces);
}

function describeField(message: string, field: FieldSchema): Uint8Array {
  const { number, name, type, repeated } = field;
  const isMap = type.kind === 'map';
  const label = repeated || isMap ? REPEATED : OPTIONAL;
  return Buffer.concat([
    textPiece(1, identifierOf(name)),
    numberPiece(3, number),
    numberPiece(4, label),
    ...(isMap ? typePieces({ kind: 'message', message: `${message}.${entryOf(field)}` }) : typePieces(type)),
    textPiece(10, name),
  ]);
}

/** What protobuf makes of a map: a repeated message of its own. */
function describeEntry(field: FieldSchema, value: SingleType): Uint8Array {
  const part = (name: string, number: number, type: SingleType): Uint8Array =>
    bytesPiece(2, Buffer.concat([textPiece(1, name), numberPiece(3, number), numberPiece(4, OPTIONAL), ...typePieces(type)]));
  const options = bytesPiece(7, numberPiece(7, 1));
  return Buffer.concat([
    textPiece(1, entryOf(field)),
    part('key', 1, { kind: 'scalar', scalar: 'string' }),
    part('value', 2, value),
    options,
  ]);
}

function typePieces(type: SingleType): Uint8Array[] {
  if (type.kind === 'scalar') return [numberPiece(5, SCALARS[type.scalar])];
  return [numberPiece(5, MESSAGE), textPiece(6, `.${type.message}`)];
}

function describeService(service: string, ofService: readonly MethodSchema[]): Uint8Array {
  return Buffer.concat([textPiece(1, simpleName(service)), ...ofService.map((method) => bytesPiece(2, describeMethod(method)))]);
}

function describeMethod({ name, input, output, clientStreaming, serverStreaming }: MethodSchema): Uint8Array {
  return Buffer.concat([
    textPiece(1, name),
    textPiece(2, `.${input}`),
    textPiece(3, `.${output}`),
    ...(clientStreaming ? [numberPiece(5, 1)] : []),
    ...(serverStreaming ? [numberPiece(6, 1)] : []),
  ]);
}

function messageIn({ type }: FieldSchema): string | undefined {
  const single = type.kind === 'map' ? type.value : type;
  return single.kind === 'message' ? single.message : undefined;
}

/** Some names in JSON are none in protobuf. */
function identifierOf(name: string): string {
  return name.replaceAll(/\W/g, '_');
}

/** As readers of descriptors expect it of a map. */
function entryOf({ name }: FieldSchema): string {
  const words = identifierOf(name).split('_');
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Entry`;
}

function packageOf(fullName: string): string {
  return fullName.slice(0, fullName.lastIndexOf('.'));
}

function simpleName(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf('.') + 1);
}

function fileOf(packageName: string): string {
  return `${packageName.replaceAll('.', '/')}.proto`;
}
