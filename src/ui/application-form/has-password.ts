/** A password in an address would be kept with the application, for all to read. */
export function hasPassword(repoURL: string): boolean {
  return /^\w[\w+.-]*:\/\/[^/@]*:[^/@]+@/.test(repoURL);
}
