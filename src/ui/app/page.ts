import type { ComponentType } from 'react';
import type { IconName } from '../design/index.ts';

/** A page: an address, a title, and the code behind it, which is fetched when somebody goes there. */
export interface Page {
  /** As `/applications/$namespace/$name`; `usePathNames` gives the parts with a dollar sign. */
  readonly path: string;
  readonly title: string;
  readonly load: () => Promise<{ readonly Page: ComponentType }>;
  /** In the side bar, in the order of the list. */
  readonly nav?: { readonly title: string; readonly icon: IconName; readonly keys?: string };
  /** Shown without the frame, to those who are not signed in. */
  readonly isOpen?: boolean;
}
