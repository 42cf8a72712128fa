import type { Core } from '../core/core.ts';
import type { Exchange } from '../core/exchange.ts';
import { encodeFrame } from '../core/framing.ts';
import { statusHeaders } from '../core/grpc-status.ts';

/** The standard health check of gRPC, which orchestrators and load balancers ask without a token. */
export const HEALTH_CHECK = '/grpc.health.v1.Health/Check';

/** Field 1, an enumeration: 1 serving, 2 not serving. */
const SERVING = Uint8Array.of(0x08, 1);
const NOT_SERVING = Uint8Array.of(0x08, 2);

/** Says whether we take new calls. The name of a service in the request makes no difference: all live and die together. */
export function answerHealthCheck(core: Core, exchange: Exchange): void {
  exchange.serve();
  exchange.start(200, { 'content-type': 'application/grpc' }, true);
  exchange.end(statusHeaders(undefined), encodeFrame(0, core.calls.draining ? NOT_SERVING : SERVING));
}
