import { customResourceDefinitions, definitionsVersion, definitionsVersionAnnotation } from '../../model/index.ts';
import { isJsonObject, jsonEquals, type JsonObject } from '../../objects/index.ts';
import { listAt } from '../json-path.ts';
import { createObject } from '../verbs/create.ts';
import { metadataOf } from '../verbs/decode-input.ts';
import { findObject, updateObject } from '../verbs/update.ts';
import { asJson, requireKind } from '../verbs/verb-context.ts';
import type { VerbContext } from '../verbs/verb-context.ts';
import { DEFINITIONS } from './definition.ts';

const FIELD_MANAGER = 'fairway';

/**
 * Installs the kinds that Fairway itself lives on where they are missing, and brings them up to date after an upgrade. What a newer version
 * installed stays, or the fields that only it knows would be dropped from every object written.
 */
export async function seedDefinitions(context: VerbContext): Promise<void> {
  const { store } = context;
  const kind = requireKind(context, DEFINITIONS, 'create');
  for (const definition of customResourceDefinitions()) {
    const wanted = asJson(definition);
    const { name = '' } = definition.metadata;
    await store.write(() => {
      const before = findObject(context, kind, { name });
      if (before === undefined) createObject(context, kind, wanted, { fieldManager: FIELD_MANAGER });
      else if (
        versionOf(before) <= definitionsVersion &&
        !jsonEquals(listAt(before, 'spec', 'versions'), listAt(wanted, 'spec', 'versions'))
      ) {
        const { managedFields: _fields, ...metadata } = metadataOf(before);
        updateObject(context, kind, { ...wanted, metadata: metadata as never }, { fieldManager: FIELD_MANAGER });
      }
    });
  }
}

function versionOf(definition: JsonObject): number {
  const { annotations } = metadataOf(definition);
  const version = isJsonObject(annotations) ? annotations[definitionsVersionAnnotation] : undefined;
  return Number.parseInt(typeof version === 'string' ? version : '0', 10) || 0;
}
