/**
 * What runs in the page, before anything of ours: it notes long tasks, the time between frames, when messages are parsed, and the first
 * frame in which something is seen. Times are milliseconds since the navigation began.
 */
export const PROBE = String.raw`(() => {
  const waits = [];
  const probe = (window.fairwayProbe = { longTasks: [], frames: [], parses: [], inputAt: 0 });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) probe.longTasks.push({ startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
  const parse = JSON.parse;
  JSON.parse = (text, reviver) => {
    if (typeof text === 'string' && text.length > 200) probe.parses.push({ at: performance.now(), length: text.length });
    return parse(text, reviver);
  };
  addEventListener('input', ({ timeStamp }) => (probe.inputAt = timeStamp), true);
  let last = 0;
  const onFrame = () => {
    const now = performance.now();
    if (last > 0) probe.frames.push(now - last);
    last = now;
    for (const wait of waits.splice(0)) {
      if (wait.test()) wait.done(now);
      else waits.push(wait);
    }
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  probe.when = (test) => new Promise((done) => waits.push({ test, done }));
  probe.reset = () => void (probe.longTasks = [], probe.frames = [], probe.parses = []);
})()`;

/** How smooth something was. */
export interface Smoothness {
  readonly framesPerSecond: number;
  /** The longest time between two frames. */
  readonly frameMsMax: number;
  readonly longTaskMsMax: number;
  readonly longTasks: number;
}

export interface ProbeNotes {
  readonly frames: readonly number[];
  readonly longTasks: readonly { readonly startTime: number; readonly duration: number }[];
}

export function describeSmoothness({ frames, longTasks }: ProbeNotes): Smoothness {
  const total = frames.reduce((sum, ms) => sum + ms, 0);
  return {
    framesPerSecond: (frames.length / total) * 1_000,
    frameMsMax: Math.max(0, ...frames),
    longTaskMsMax: Math.max(0, ...longTasks.map(({ duration }) => duration)),
    longTasks: longTasks.length,
  };
}
