import type { HttpHandler, HttpReply } from '../http.ts';

/**
 * What someone finds who enters nothing but the address: the API browser, or a word that this is the right place. The stock client
 * comes here too, from the redirect after signing out, and takes anything but success for a failure.
 */
export function createFrontPageRoute(docs: boolean): HttpHandler {
  const reply: HttpReply = docs
    ? { status: 302, headers: { location: '/docs' } }
    : { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Fairway\n' };
  return async () => reply;
}
