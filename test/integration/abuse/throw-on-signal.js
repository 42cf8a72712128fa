/** Preloaded into the program under test: throws where nothing catches it, in each way there is, when told to. */
import { EventEmitter } from 'node:events';

process.on('SIGUSR2', () => {
  setTimeout(() => {
    throw new Error('thrown in a timer');
  }, 1);
  void Promise.reject(new Error('thrown in a promise'));
  setImmediate(() => new EventEmitter().emit('error', new Error('thrown in an event')));
});
