/**
 * The form in which repository addresses are compared: lower case, without `.git` at the end, and with both ways to write an SSH address
 * made one. Empty for what is no address.
 */
export function normalizeRepositoryUrl(address: string): string {
  let url = address.trim().toLowerCase();
  const isScpForm = /^[^/@:\s]+@[^/:\s]+:/.test(url) && !url.includes('://');
  if (isScpForm) url = `ssh://${url.replace(':', '/')}`;
  if (url.endsWith('.git')) url = url.slice(0, -'.git'.length);
  return url.startsWith('ssh://') ? url.slice('ssh://'.length) : url;
}
