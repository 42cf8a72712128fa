import { ApiError, Code } from '../../base/index.ts';
import type { Transport, TransportRequest } from './transport.ts';

/**
 * The same connections for requests that only read. Every other one is refused before it is sent, also one that would only be tried, so that
 * whoever is handed this can change nothing on the cluster, whatever they do.
 */
export function onlyReading(transport: Transport): Transport {
  const refuse = ({ method }: TransportRequest): ApiError =>
    new ApiError(
      Code.FailedPrecondition,
      `nothing is written in shadow mode: ${method} is not sent to the cluster at ${transport.address}`,
    );
  const isRead = ({ method }: TransportRequest): boolean => method === 'GET';
  return {
    ...transport,
    call: async (request, read) => {
      if (!isRead(request)) throw refuse(request);
      return await transport.call(request, read);
    },
    stream: async (request) => {
      if (!isRead(request)) throw refuse(request);
      return await transport.stream(request);
    },
    // A session in a container begins with a GET, too.
    upgrade: (request) => Promise.reject(refuse(request)),
  };
}
