import type { Controllers } from '../controllers/create-controllers.ts';
import type { CustomKinds } from './custom-kinds.ts';

/** The controllers with the one that cleans up after definitions among them. */
export function withCustomKinds(controllers: Controllers, { loop, stop }: CustomKinds): Controllers {
  return {
    ...controllers,
    idle: async () => {
      // One controller's work can be another's cause.
      do {
        await loop.idle();
        await controllers.idle();
      } while (!loop.isIdle);
    },
    stop: async () => {
      await stop();
      await controllers.stop();
    },
  };
}
