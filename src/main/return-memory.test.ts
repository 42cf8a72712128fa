import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../test/support/manual-timers.ts';
import { startReturningMemory } from './return-memory.ts';

/** A heap in megabytes that a collection brings down to 40, in the time given. */
class Scene {
  readonly timers = new ManualTimers();
  busy = 0;
  totalMb = 60;
  collections = 0;
  /** The collection before which what is kept only to be quick was let go last. */
  forgotten = 0;
  readonly stop: () => void;

  constructor({ collectMs = 20 } = {}) {
    this.stop = startReturningMemory(() => (this.forgotten = this.collections + 1), this.timers, {
      busyShare: () => this.busy,
      totalBytes: () => this.totalMb * 1_048_576,
      collect: () => {
        this.collections += 1;
        this.totalMb = 40;
        return collectMs;
      },
    });
  }
}

describe('memory that is given back', () => {
  it('is what the start left behind', async () => {
    const scene = new Scene();
    await scene.timers.advance(5_000);
    expect(scene.collections).toBe(1);
    await scene.timers.advance(600_000);
    expect(scene.collections).toBe(1);
  });

  it('is what a storm left behind, once it is over', async () => {
    const scene = new Scene();
    await scene.timers.advance(60_000);
    scene.totalMb = 300;
    scene.busy = 0.9;
    await scene.timers.advance(60_000);
    expect(scene.totalMb).toBe(300);
    scene.busy = 0.01;
    await scene.timers.advance(5_000);
    expect(scene.totalMb).toBe(40);
    expect(scene.forgotten).toBe(scene.collections);
  });

  it('is not worth a pause when it is little', async () => {
    const scene = new Scene();
    await scene.timers.advance(60_000);
    scene.totalMb = 55;
    await scene.timers.advance(600_000);
    expect(scene.collections).toBe(1);
  });

  it('waits the longer the longer a collection takes', async () => {
    const scene = new Scene({ collectMs: 1_000 });
    await scene.timers.advance(5_000);
    scene.totalMb = 2_000;
    await scene.timers.advance(90_000);
    expect(scene.collections).toBe(1);
    await scene.timers.advance(15_000);
    expect(scene.collections).toBe(2);
  });

  it('leaves no timer behind when it is stopped', async () => {
    const scene = new Scene();
    await scene.timers.advance(5_000);
    scene.stop();
    expect(scene.timers.waiting).toBe(0);
  });
});
