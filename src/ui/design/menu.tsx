import {
  Menu as AriaMenu,
  MenuButton,
  MenuItem as AriaMenuItem,
  MenuProvider,
  MenuSeparator as AriaMenuSeparator,
} from '@ariakit/react/menu';
import type { ReactElement, ReactNode } from 'react';
import type { Permission } from '../api/index.ts';
import { Icon, type IconName } from './icon.tsx';

export interface MenuProps {
  /** On the button; `label`, which is said instead, begins with it or holds it. */
  readonly button?: ReactNode;
  readonly icon?: IconName;
  readonly label: string;
  readonly look?: 'default' | 'quiet';
  readonly children: ReactNode;
}

/** A button that opens a list of things to do. */
export function Menu({ button, icon, label, look = 'default', children }: MenuProps): ReactElement {
  return (
    <MenuProvider>
      <MenuButton className="button" data-look={look} data-icon-only={button === undefined || undefined} aria-label={label}>
        {icon && <Icon name={icon} />}
        {button}
      </MenuButton>
      <AriaMenu className="menu" gutter={4} unmountOnHide>
        {children}
      </AriaMenu>
    </MenuProvider>
  );
}

export interface MenuItemProps {
  readonly children: ReactNode;
  readonly onClick: () => void;
  readonly icon?: IconName;
  readonly look?: 'default' | 'danger';
  readonly disabledReason?: string | undefined;
  readonly permission?: Permission | undefined;
}

/** One thing to do. Where it cannot be done now, the reason stands below it. */
export function MenuItem({ children, onClick, icon, look = 'default', disabledReason, permission }: MenuItemProps): ReactElement {
  const isDenied = permission !== undefined && !permission.allowed;
  const reason = disabledReason ?? (isDenied ? permission.reason : undefined);
  return (
    <AriaMenuItem
      className="menu-item"
      data-look={look}
      disabled={isDenied || reason !== undefined}
      accessibleWhenDisabled
      onClick={onClick}
    >
      {icon && <Icon name={icon} />}
      <span>
        {children}
        {reason !== undefined && <div className="faint">{reason}</div>}
      </span>
    </AriaMenuItem>
  );
}

export function MenuSeparator(): ReactElement {
  return <AriaMenuSeparator className="menu-separator" />;
}
