/** An address without the password that it may carry. The user stays: hosting services put one into addresses to tell accounts apart. */
export function withoutPassword(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/@:]*):[^/]*@/i, '$1@');
}

/** An address without user and password. */
export function withoutUser(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
}
