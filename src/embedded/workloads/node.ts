import { formatTime, isStatusError } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { createObject } from './world.ts';
import type { World } from './world.ts';

/** The one node there is. */
export const NODE_NAME = 'fairway-simulated';
/** Of the range that is kept for documentation. */
export const NODE_ADDRESS = '198.51.100.1';
export const STORAGE_CLASS = 'simulated';
const CAPACITY: JsonObject = { cpu: '1k', 'ephemeral-storage': '1Pi', memory: '1Ti', pods: '100k' };

/** Makes what the simulation needs once: its node, which says in every place what it is, and its storage class. */
export async function seedCluster(world: World): Promise<void> {
  await createIfMissing(world, 'Node', nodeObject(world.clock.nowMs()));
  await createIfMissing(world, 'StorageClass', {
    metadata: { name: STORAGE_CLASS, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'simulated.fairway.dev/none',
  });
}

export async function createIfMissing(world: World, kind: Parameters<typeof createObject>[1], object: JsonObject): Promise<void> {
  try {
    await createObject(world, kind, object);
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error;
  }
}

function nodeObject(nowMs: number): JsonObject {
  const time = formatTime(nowMs);
  const condition = (type: string, status: string, reason: string, message: string): JsonObject => {
    return { type, status, lastHeartbeatTime: time, lastTransitionTime: time, reason, message };
  };
  return {
    metadata: {
      name: NODE_NAME,
      labels: {
        'kubernetes.io/hostname': NODE_NAME,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'node-role.kubernetes.io/simulated': '',
        'simulate.fairway.dev/simulated': 'true',
      },
    },
    spec: {},
    status: {
      capacity: CAPACITY,
      allocatable: CAPACITY,
      conditions: [
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'a simulated node has no memory to run out of'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'a simulated node has no disk to fill'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'a simulated node runs no processes'),
        condition('Ready', 'True', 'KubeletReady', 'a simulated node is always ready'),
      ],
      addresses: [
        { type: 'InternalIP', address: NODE_ADDRESS },
        { type: 'Hostname', address: NODE_NAME },
      ],
      nodeInfo: {
        architecture: 'amd64',
        bootID: NODE_NAME,
        containerRuntimeVersion: 'simulated://0',
        kernelVersion: 'simulated',
        kubeProxyVersion: '',
        kubeletVersion: 'v1.36.3+fairway-simulated',
        machineID: NODE_NAME,
        operatingSystem: 'linux',
        osImage: 'Fairway simulation: no containers run here',
        systemUUID: NODE_NAME,
      },
    },
  };
}
