import { compileGlob, expandAlternatives } from './glob.ts';

type MatchSegment = (segment: string) => boolean;
type Step = MatchSegment | '**';

/**
 * Whether a path fits a pattern in which a star stays within a segment, and a segment of two stars is any number of them, also none; braces
 * may hold several segments. Undefined for a pattern that cannot be read.
 */
export function compileDoubleStar(pattern: string): ((path: string) => boolean) | undefined {
  const alternatives = expandAlternatives(pattern).map(compileSteps);
  const readable = alternatives.filter((steps) => steps !== undefined);
  if (readable.length === 0 || readable.length < alternatives.length) return undefined;
  return (path) => {
    const segments = path.split('/');
    return readable.some((steps) => matchesSteps(steps, segments));
  };
}

function compileSteps(pattern: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (const segment of pattern.replace(/^\.?\//, '').split('/')) {
    // Two in a row are no more than one.
    if (segment === '**' && steps.at(-1) === '**') continue;
    const step = segment === '**' ? segment : compileSegment(segment);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps;
}

/** Most segments are plain names, and are compared for every path. */
function compileSegment(segment: string): MatchSegment | undefined {
  return /[*?[\\]/.test(segment) ? compileGlob(segment.replaceAll(/\*+/g, '*')) : (other) => other === segment;
}

/**
 * What stands before the last two stars is best matched as early as it can be: only these are tried anew, so that no pattern takes longer
 * than its segments times those of the path.
 */
function matchesSteps(steps: readonly Step[], segments: readonly string[]): boolean {
  const last = steps.at(-1);
  if (last !== undefined && last !== '**' && !last(segments.at(-1) ?? '')) return false;
  let [step, at, star, starEnd] = [0, 0, -1, 0];
  while (at < segments.length) {
    const current = steps[step];
    if (current === '**') {
      [star, starEnd] = [step, at];
      step += 1;
    } else if (current?.(segments[at] ?? '') === true) {
      step += 1;
      at += 1;
    } else if (star === -1) {
      return false;
    } else {
      starEnd += 1;
      [step, at] = [star + 1, starEnd];
    }
  }
  return step === steps.length || (step === steps.length - 1 && last === '**');
}
