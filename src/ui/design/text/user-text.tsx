import type { ReactElement } from 'react';
import { visibleText } from './visible-text.ts';

/** A text from elsewhere: it cannot turn the text around it, and what hides in it is named. */
export function UserText({ children }: { readonly children: string | undefined }): ReactElement {
  return <bdi>{visibleText(children ?? '')}</bdi>;
}
