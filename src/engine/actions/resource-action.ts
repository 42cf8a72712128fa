import type { JsonObject, KubeObject } from '../../objects/index.ts';

/** What users are told of an action. */
export interface ResourceAction {
  readonly name: string;
  readonly displayName?: string;
  readonly iconClass?: string;
  /** It makes no sense in the resource's present state. */
  readonly disabled?: boolean;
  readonly params?: readonly { readonly name: string }[];
}

/** What an action wants to be done. */
export interface ActionResult {
  readonly operation: 'create' | 'patch';
  /** What is to be created; or the resource as it is to be. */
  readonly resource: KubeObject;
}

/** An action cannot be found or does not work; the message is for whoever asked for it. */
export class ActionError extends Error {}

/** With what an action is run. */
export interface ActionInput {
  readonly parameters: ReadonlyMap<string, string>;
  readonly nowMs: number;
}

/** An action that we bring. */
export interface BuiltInAction {
  readonly name: string;
  readonly displayName?: string | ((object: JsonObject) => string);
  readonly iconClass?: string;
  readonly params?: readonly string[];
  readonly isDisabled?: (object: JsonObject) => boolean;
  /** Where it is not offered it can still be asked for. */
  readonly isOffered?: (object: JsonObject) => boolean;
  /** The resource as it is to be, or what is to be done. Throws an ActionError. */
  readonly run: (object: JsonObject, input: ActionInput) => JsonObject | readonly ActionResult[];
}
