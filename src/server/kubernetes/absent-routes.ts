import { statusError } from '../../objects/index.ts';
import type { PlainRoute } from '../transports/plain-routes.ts';
import { statusReply } from './replies.ts';

const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Stands where the Kubernetes API would be when the objects are on a cluster, and says so in words that `kubectl` shows. */
export function createAbsentKubernetesRoutes(): readonly PlainRoute[] {
  const refusal = statusError(
    'NotFound',
    'this server has no Kubernetes API of its own: its objects are on a cluster, so use the kubeconfig of that cluster',
  );
  const handler: PlainRoute['handler'] = async () => statusReply(refusal.status);
  return ['/k8s', '/k8s/*'].map((path) => ({ path, verbs, handler }));
}
