import type { KubeApi } from '../../src/kube/index.ts';
import type { JsonObject, KubeObject } from '../../src/objects/index.ts';
import { createRealisticApplications } from '../support/realistic-applications.ts';
import { runClients } from '../home/run-clients.ts';
import { types } from '../home/sample-objects.ts';

const CLIENTS = 16;
/** The controllers leave these as they are: what is measured is what people look at. */
const STILL = { 'argocd.argoproj.io/skip-reconcile': 'true' };

/** Puts applications into the home, each with a status; answers with their names, in order. */
export async function fillHome(api: KubeApi, count: number): Promise<readonly string[]> {
  const applications = createRealisticApplications(count).map(toObject);
  await runClients({ calls: count, clients: CLIENTS, pids: [] }, (index) => api.create(types.applications, applications[index]!));
  return applications.map(({ metadata }) => metadata.name ?? '').toSorted();
}

function toObject(application: JsonObject): KubeObject {
  const plain = JSON.parse(JSON.stringify(application).replaceAll('ü', 'ue')) as JsonObject;
  const { name, namespace, labels } = plain['metadata'] as JsonObject;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    ...plain,
    metadata: { name, namespace, labels, annotations: STILL },
  } as unknown as KubeObject;
}
