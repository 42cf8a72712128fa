/** Why no token was to be had: fit for a caller, without what the provider answered, which may be anything. */
export class SignInError extends Error {}
