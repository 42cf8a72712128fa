import { ApiError, Code } from '../../../base/index.ts';

const LENGTH_MAX = 4_096;

/**
 * Refuses addresses that lead elsewhere than they seem to, since policies and credential templates go by how an address begins: those
 * that step back, also where the dots are escaped, and those with characters that some readers drop or take for a slash.
 */
export function requirePlainUrl(url: string): void {
  if (url === '') throw new ApiError(Code.InvalidArgument, 'must specify URL');
  if (url.length > LENGTH_MAX) throw new ApiError(Code.InvalidArgument, 'the URL is too long');
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  const isOdd = /[\u0000- \u007f\\]/.test(url);
  const parts = url.replaceAll(/%2e/gi, '.').split(/[/:]|%2f|%5c/i);
  if (isOdd || parts.some((part) => part === '.' || part === '..'))
    throw new ApiError(Code.InvalidArgument, 'the URL has a step back, a space or a control character in it');
}
