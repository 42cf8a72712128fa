import { create, createFileRegistry, fromBinary, type FileRegistry } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { messages, methods } from '../gen/schema.ts';
import { answerReflection } from './answer-reflection.ts';

const ask = (field: number, text: string): Uint8Array => answerReflection(new BinaryWriter().tag(field, 2).string(text).finish());

/** The pieces of a message by field; all that is asked for here has its length in front, but for codes. */
function piecesOf(bytes: Uint8Array): Map<number, (Uint8Array | number)[]> {
  const pieces = new Map<number, (Uint8Array | number)[]>();
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    const piece = wireType === 2 ? reader.bytes() : reader.uint32();
    pieces.set(field, [...(pieces.get(field) ?? []), piece]);
  }
  return pieces;
}
const only = (bytes: Uint8Array, field: number): Uint8Array => piecesOf(bytes).get(field)?.[0] as Uint8Array;
const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();
const filesIn = (answer: Uint8Array) =>
  (piecesOf(only(answer, 4)).get(1) ?? []).map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes as Uint8Array));

/** What a client makes of an answer. Files that need each other, or something that is not there, are refused. */
function registryOf(answer: Uint8Array): FileRegistry {
  const files = filesIn(answer);
  const ordered = new Set<FileDescriptorProto>();
  const add = (name: string, below: readonly string[]): void => {
    const file = files.find((one) => one.name === name);
    if (file === undefined || below.includes(name)) throw new Error(`${name} is not there, or needs itself`);
    for (const needed of file.dependency) add(needed, [...below, name]);
    ordered.add(file);
  };
  add(files[0]?.name ?? '', []);
  expect(ordered.size).toBe(files.length);
  return createFileRegistry(create(FileDescriptorSetSchema, { file: [...ordered] }));
}

describe('the contract describes', () => {
  it('which services there are', () => {
    const listed = (piecesOf(only(ask(7, ''), 6)).get(1) ?? []).map((service) => textOf(only(service as Uint8Array, 1)));
    expect(listed).toEqual([...new Set(methods.map(({ service }) => service))]);
    expect(listed).toContain('application.ApplicationService');
  });

  it('every method and message, with all that they need', () => {
    for (const { service, name, input, output, clientStreaming, serverStreaming } of methods) {
      const method = registryOf(ask(4, `${service}.${name}`))
        .getService(service)
        ?.methods.find((one) => one.name === name);
      expect({ input: method?.input.typeName, output: method?.output.typeName }).toEqual({ input, output });
      const kind = clientStreaming ? 'client_streaming' : serverStreaming ? 'server_streaming' : 'unary';
      expect(method?.methodKind).toBe(kind);
    }
  });

  it('fields by their numbers, kinds and names', () => {
    const registry = registryOf(ask(4, 'application.ApplicationService'));
    for (const { name, fields } of messages) {
      const described = registry.getMessage(name);
      if (described === undefined) continue;
      expect(described.fields.map(({ number, jsonName }) => [number, jsonName])).toEqual(fields.map((field) => [field.number, field.name]));
      for (const field of fields) {
        const found = described.fields.find(({ number }) => number === field.number);
        const kind = field.repeated ? 'list' : field.type.kind;
        expect([name, field.name, found?.fieldKind]).toEqual([name, field.name, kind]);
      }
    }
  });

  it('files by name, and says what it does not know', () => {
    expect(filesIn(ask(3, 'account.proto')).map(({ name }) => name)).toEqual(['account.proto']);
    const question = new BinaryWriter().tag(1, 2).string('a-host').tag(4, 2).string('no.Such').finish();
    const answer = answerReflection(question);
    expect(Buffer.from(only(answer, 2))).toEqual(Buffer.from(question));
    expect([...piecesOf(only(answer, 7))].map(([field, [piece]]) => [field, typeof piece === 'number' ? piece : textOf(piece)])).toEqual([
      [1, 5],
      [2, 'no.Such is not known'],
    ]);
    expect(piecesOf(only(ask(3, '../secret.proto'), 7)).get(1)).toEqual([5]);
    expect(piecesOf(only(ask(6, 'no.Such'), 7)).get(1)).toEqual([5]);
    expect(textOf(only(only(ask(6, 'account.Account'), 5), 1))).toBe('account.Account');
    expect(piecesOf(only(answerReflection(new BinaryWriter().tag(5, 2).bytes(new Uint8Array()).finish()), 7)).get(1)).toEqual([5]);
    expect(piecesOf(only(answerReflection(new Uint8Array()), 7)).get(1)).toEqual([3]);
    expect(() => answerReflection(Uint8Array.of(0x22, 0x7f))).toThrow(expect.objectContaining({ code: 3 }));
  });
});
