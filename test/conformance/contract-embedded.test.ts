import { describe } from 'vitest';
import { describeConformance } from './contract/conformance-stories.ts';
import { openEmbeddedScene } from './contract/embedded-scene.ts';

describe('the whole contract, with everything in one process', () => {
  describeConformance(() => openEmbeddedScene());
});
