import type { FieldError, JsonObject, Pruned, Schema } from '../../objects/index.ts';
import type { ResourceType } from '../../kube/index.ts';

/** What a rule may need to know beyond the object. */
export interface RuleContext {
  readonly nowMs: number;
  /** An integer from 0 up to, but without, the limit. */
  randomBelow(limit: number): number;
  /** Whether an object of the same kind has this value in a field; for addresses and ports that must not be given twice. */
  isTaken(path: readonly string[], value: string | number): boolean;
}

/** Where a kind keeps its replicas, for the scale subresource. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  /** A selector in objects' form, or a text, for the Scale's status. */
  readonly selector?: readonly string[];
}

/** What is particular to a kind. What is absent is as it is for most kinds. */
export interface KindRules {
  readonly validateName?: (name: string) => readonly string[];
  /**
   * Drops what the kind does not have, and refuses what is not of its types with a StatusError. What the object shares with the one that it
   * replaces needs no second look.
   */
  readonly prune?: (object: JsonObject, before: JsonObject | undefined) => Pruned;
  /** Sets what was left out. Called before every write, so it must change nothing the second time. */
  readonly setDefaults?: (object: JsonObject, context: RuleContext, before: JsonObject | undefined) => JsonObject;
  /** Sets what the server decides when an object comes to be; its metadata is complete by then. */
  readonly prepareCreate?: (object: JsonObject, context: RuleContext) => JsonObject;
  /** Sets what the server decides, or keeps what a client cannot change, when an object changes. */
  readonly prepareUpdate?: (object: JsonObject, before: JsonObject, context: RuleContext) => JsonObject;
  /** What is wrong with the object; `before` is there when it replaces another. */
  readonly validate?: (object: JsonObject, before: JsonObject | undefined) => readonly FieldError[];
  /** What whoever writes the object should be told, although it is accepted. */
  readonly warn?: (object: JsonObject) => readonly string[];
  /** Whether `metadata.generation` counts changes to what is wanted. */
  readonly hasGeneration?: boolean;
  /** A change of annotations is one of generation too. */
  readonly countsAnnotations?: boolean;
  /** Fields beside name and namespace that a field selector may use, as paths with dots. */
  readonly selectableFields?: readonly string[];
  /** What a field selector sees in such a field, where that is not simply the value at its path; undefined for all others. */
  readonly readField?: (object: JsonObject, field: string) => string | undefined;
  /** Bodies are encrypted on disk. */
  readonly isSealed?: boolean;
  /** Objects go by themselves when they were not written for this long. */
  readonly ttlMs?: number;
  /** A delete answers with the object and not with a Status. */
  readonly returnsDeleted?: boolean;
  /** A delete that says nothing about dependents leaves them. */
  readonly orphansByDefault?: boolean;
  /** Finalizers that the first delete of an object sets, for whoever has to clean up after it. */
  readonly finalizersOnDelete?: readonly string[];
  /** An update of what does not exist creates it. */
  readonly createsOnUpdate?: boolean;
  /** A create may bring a status, although the status is an endpoint of its own. */
  readonly keepsStatusOnCreate?: boolean;
  /** An update must say which version it replaces. */
  readonly needsVersion?: boolean;
}

/** The form in which objects are kept that several groups or versions serve. */
export interface StorageForm {
  readonly group: string;
  readonly plural: string;
  readonly version: string;
  /** From the served form to the stored one, and back; only apiVersion differs where they are absent. */
  readonly encode?: (object: JsonObject) => JsonObject;
  readonly decode?: (object: JsonObject) => JsonObject;
}

/** A kind as it is registered, at the start or by a CustomResourceDefinition while the API runs. */
export interface KindDefinition {
  readonly type: ResourceType;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** All of them unless given. */
  readonly verbs?: readonly string[];
  readonly subresources?: readonly string[];
  /** Whether this is the group's preferred version; true unless given. */
  readonly isPreferred?: boolean;
  readonly isCustom?: boolean;
  /** For server-side apply and strategic patches. */
  readonly schema?: Schema | undefined;
  /** The schema of a custom kind as it was written, read when asked for, and a text that changes with it. */
  readonly openApi?: { readonly hash: string; readonly read: () => JsonObject };
  readonly storage?: StorageForm;
  readonly scale?: ScalePaths;
  readonly rules?: KindRules;
}

/** A registered kind. */
export interface Kind extends KindDefinition {
  readonly rules: KindRules;
  readonly storage: StorageForm;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
  /** The store's id for where the objects are. */
  readonly resource: number;
  readonly apiVersion: string;
  readonly hasStatus: boolean;
}
