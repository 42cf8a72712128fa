import type { ApplicationSetCondition } from '../../../contract/gen/types.ts';
import type { Tone } from '../../design/index.ts';

/** A condition in words. */
export interface ExplainedCondition {
  readonly title: string;
  readonly value: string;
  readonly tone: Tone;
}

const WORDS: ReadonlyMap<
  string,
  { readonly title: string; readonly yes: string; readonly no: string; readonly tones: readonly [Tone, Tone] }
> = new Map([
  ['ErrorOccurred', { title: 'Errors', yes: 'Failed', no: 'None', tones: ['bad', 'good'] }],
  ['ParametersGenerated', { title: 'Parameters', yes: 'Generated', no: 'Not generated', tones: ['good', 'bad'] }],
  ['ResourcesUpToDate', { title: 'Applications', yes: 'Up to date', no: 'Not up to date', tones: ['good', 'bad'] }],
  ['RolloutProgressing', { title: 'Rollout', yes: 'Under way', no: 'Complete', tones: ['busy', 'good'] }],
]);

export function explainCondition({ type, status }: ApplicationSetCondition): ExplainedCondition {
  const words = WORDS.get(type);
  if (words === undefined) return { title: type, value: status, tone: 'mute' };
  if (status !== 'True' && status !== 'False') return { title: words.title, value: 'Not known', tone: 'mute' };
  const isTrue = status === 'True';
  return { title: words.title, value: isTrue ? words.yes : words.no, tone: words.tones[isTrue ? 0 : 1] };
}
