import type { EmbeddedWatchOptions, EmbeddedWriteOptions, TextList } from '../../embedded/index.ts';
import type {
  CallOptions,
  DiscoveredResource,
  KubeApi,
  ListOptions,
  ObjectRef,
  Patch,
  ResourceType,
  WatchEvent,
} from '../../kube/index.ts';
import type { KubeObject } from '../../objects/index.ts';

/** The API behind `/k8s`. Any will do; one in this process can say more than one behind a network. */
export interface ServedApi extends KubeApi {
  create(type: ResourceType, object: KubeObject, options?: EmbeddedWriteOptions): Promise<KubeObject>;
  update(type: ResourceType, object: KubeObject, options?: EmbeddedWriteOptions): Promise<KubeObject>;
  patch(type: ResourceType, ref: ObjectRef, patch: Patch, options?: EmbeddedWriteOptions): Promise<KubeObject>;
  watch(type: ResourceType, options?: EmbeddedWatchOptions): AsyncIterable<WatchEvent>;
  /** An object as text that is encoded already. */
  jsonText?(object: KubeObject): string;
  /** As get and list, with whole objects as JSON that need not be decoded first. */
  getText?(type: ResourceType, ref: ObjectRef, options?: CallOptions): Promise<string>;
  listTexts?(type: ResourceType, options?: ListOptions): Promise<TextList>;
  /** A short text for each group version that changes when its OpenAPI document does; found without making the documents. */
  openApiHashes?(): ReadonlyMap<string, string>;
}

/** What a path below a group version leads to. */
export interface ResourceTarget {
  readonly resource: DiscoveredResource;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}
