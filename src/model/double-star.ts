import { compileGlob, expandAlternatives, matchesByLastStar, type Step } from './glob.ts';

/** Two stars in a segment of their own. */
const anySegments: Step = { type: 'star', crosses: true };

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
    if (segment === '**' && steps.at(-1) === anySegments) continue;
    const step = segment === '**' ? anySegments : compileSegment(segment);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps;
}

/** Most segments are plain names, and are compared for every path. */
function compileSegment(segment: string): Step | undefined {
  const fits = /[*?[\\]/.test(segment) ? compileGlob(segment.replaceAll(/\*+/g, '*')) : (other: string) => other === segment;
  return fits && { type: 'one', fits };
}

/** The last one is looked at first: for most paths it decides. */
function matchesSteps(steps: readonly Step[], segments: readonly string[]): boolean {
  const last = steps.at(-1);
  if (last?.type === 'one' && !last.fits(segments.at(-1) ?? '')) return false;
  return matchesByLastStar(steps, segments);
}
