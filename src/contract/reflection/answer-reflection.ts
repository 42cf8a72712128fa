import { Code } from '../../base/index.ts';
import { Reader } from '../codec/reader.ts';
import { methods } from '../gen/schema.ts';
import { describeFiles, type DescribedFile } from './describe-files.ts';
import { bytesPiece, numberPiece, textPiece } from './wire-pieces.ts';

/** Fields of a question, of which it has one. */
const FILE_BY_NAME = 3;
const FILE_WITH_SYMBOL = 4;
const FILE_WITH_EXTENSION = 5;
const EXTENSIONS_OF_TYPE = 6;
const LIST_SERVICES = 7;

interface Known {
  readonly byName: ReadonlyMap<string, DescribedFile>;
  readonly bySymbol: ReadonlyMap<string, DescribedFile>;
}

let known: Known | undefined;

/**
 * Answers one question of gRPC's server reflection, in the bytes of `ServerReflectionRequest` and `ServerReflectionResponse`: which
 * services there are, and what their messages look like. Throws an ApiError `InvalidArgument` for bytes that are no question.
 */
export function answerReflection(question: Uint8Array): Uint8Array {
  return Buffer.concat([bytesPiece(2, question), answer(readQuestion(question))]);
}

interface Question {
  readonly field: number;
  readonly text: string;
}

function readQuestion(bytes: Uint8Array): Question | undefined {
  const reader = new Reader(bytes);
  let question: Question | undefined;
  while (reader.position < reader.end) {
    const tag = reader.tag();
    const field = tag >>> 3;
    const isText = (tag & 7) === 2 && field >= FILE_BY_NAME && field <= LIST_SERVICES && field !== FILE_WITH_EXTENSION;
    if (isText) question = { field, text: reader.string() };
    else reader.skip(tag, 0);
    if (field === FILE_WITH_EXTENSION) question = { field, text: '' };
  }
  return question;
}

function answer(question: Question | undefined): Uint8Array {
  const { byName, bySymbol } = (known ??= readFiles());
  switch (question?.field) {
    case FILE_BY_NAME:
      return describe(byName.get(question.text), question.text);
    case FILE_WITH_SYMBOL:
      return describe(bySymbol.get(question.text), question.text);
    case EXTENSIONS_OF_TYPE:
      return bySymbol.has(question.text)
        ? bytesPiece(5, textPiece(1, question.text))
        : refuse(Code.NotFound, `${question.text} is not known`);
    case FILE_WITH_EXTENSION:
      return refuse(Code.NotFound, 'there are no extensions');
    case LIST_SERVICES: {
      const services = [...new Set(methods.map(({ service }) => service))];
      return bytesPiece(6, Buffer.concat(services.map((service) => bytesPiece(1, textPiece(1, service)))));
    }
    default:
      return refuse(Code.InvalidArgument, 'the request asks for nothing that is known');
  }
}

/** A file, and behind it those that it needs: who gets them need not ask again. */
function describe(file: DescribedFile | undefined, asked: string): Uint8Array {
  if (file === undefined) return refuse(Code.NotFound, `${asked.slice(0, 200)} is not known`);
  const files = new Set([file]);
  for (const one of files)
    for (const name of one.dependencies) {
      const needed = known?.byName.get(name);
      if (needed !== undefined) files.add(needed);
    }
  return bytesPiece(4, Buffer.concat([...files].map(({ bytes }) => bytesPiece(1, bytes))));
}

function refuse(code: Code, message: string): Uint8Array {
  return bytesPiece(7, Buffer.concat([numberPiece(1, code), textPiece(2, message)]));
}

function readFiles(): Known {
  const files = describeFiles();
  return {
    byName: new Map(files.map((file) => [file.name, file])),
    bySymbol: new Map(files.flatMap((file) => file.symbols.map((symbol) => [symbol, file]))),
  };
}
