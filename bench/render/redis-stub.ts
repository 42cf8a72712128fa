/** A cache for the peer, in a process of its own. */
import { startRedisStub } from '../../test/support/redis-stub.ts';
import { answerParent } from '../support/child-program.ts';

const { port } = await startRedisStub();
answerParent(() => port);
