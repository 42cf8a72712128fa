/** Git's own server in a process of its own, so that what it costs is not counted with what asks it. */
import { startGitHttpServer } from '../../test/support/git-http-server.ts';
import { answerParent } from '../support/child-program.ts';

export type GitServerQuestion = 'url' | 'requests';

const [root = ''] = process.argv.slice(2);
const server = await startGitHttpServer({ root });

answerParent<GitServerQuestion>((question) => (question === 'url' ? server.url : server.requests.length));
