/** How much is asked of providers, and how much of what they answer is taken. */
export interface ProviderLimits {
  /** For one answer, from the first byte sent to the last received. */
  readonly requestMs: number;
  /** For all that one generator asks. */
  readonly runMs: number;
  /** Of one answer. */
  readonly bodyBytesMax: number;
  /** Of one list; one that is longer is an error. */
  readonly pagesMax: number;
  /** Of what is kept of one list, which is held as a whole. */
  readonly listBytesMax: number;
  /** The same of all lists that one generator asks for, as often as they are read. */
  readonly runBytesMax: number;
  /** How often one question is asked, with pauses between. */
  readonly attemptsMax: number;
  /** A provider that wants a longer pause is not waited for: the generator fails, and nobody asks before it is over. */
  readonly pauseMsMax: number;
  /** Questions of one generator that are asked at once. */
  readonly parallelMax: number;
  /** Of all answers that are kept to ask whether they have changed. */
  readonly keptBytesMax: number;
}

export const defaultProviderLimits: ProviderLimits = {
  requestMs: 30_000,
  runMs: 300_000,
  bodyBytesMax: 32 * 1024 * 1024,
  pagesMax: 1_000,
  listBytesMax: 128 * 1024 * 1024,
  runBytesMax: 512 * 1024 * 1024,
  attemptsMax: 3,
  pauseMsMax: 10_000,
  parallelMax: 8,
  keptBytesMax: 32 * 1024 * 1024,
};
