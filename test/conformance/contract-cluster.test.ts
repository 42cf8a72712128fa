import { describeWithCluster } from '../support/cluster/shared-cluster.ts';
import { openClusterScene } from './contract/cluster-scene.ts';
import { describeConformance } from './contract/conformance-stories.ts';

describeWithCluster('the whole contract, on a real control plane', (shared) => {
  describeConformance(() => openClusterScene(shared()));
});
