import { Tooltip, TooltipAnchor, TooltipProvider } from '@ariakit/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

/** Shows a text beside what is pointed at or focused. */
export function Tip({ text, children }: { readonly text: ReactNode; readonly children: ReactElement }): ReactElement {
  return (
    <TooltipProvider timeout={350}>
      <TooltipAnchor render={children} />
      <Tooltip className="tip" gutter={6} unmountOnHide>
        {text}
      </Tooltip>
    </TooltipProvider>
  );
}
