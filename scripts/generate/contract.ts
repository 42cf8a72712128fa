import type { MessageSchema, MethodSchema } from '../../src/contract/schema.ts';

/** Everything the writers need, read once from `proto/`. */
export interface Contract {
  /** Sorted by full name. */
  readonly messages: readonly MessageSchema[];
  /** Sorted by full name; methods in the order of their file. */
  readonly services: readonly ServiceSchema[];
  /** The services that Fairway calls and does not offer. */
  readonly calledServices: readonly ServiceSchema[];
  readonly comments: Comments;
}

export interface ServiceSchema {
  /** Full name, for example `application.ApplicationService`. */
  readonly name: string;
  /** The last part of the name. */
  readonly typeName: string;
  readonly methods: readonly MethodSchema[];
}

/** The comments above declarations, each as plain text on one line; empty where there is none. */
export interface Comments {
  ofService(service: string): string;
  ofMethod(service: string, method: string): string;
  ofMessage(message: string): string;
  ofField(message: string, jsonName: string): string;
}

/** The first line of every generated file that can hold a comment. */
export const GENERATED = '// Generated from proto/ by `npm run generate`. Do not edit.';
