import { Button as AriaButton } from '@ariakit/react/button';
import type { MouseEvent, ReactElement, ReactNode, Ref } from 'react';
import type { Permission } from '../api/index.ts';
import { Icon, type IconName } from './icon.tsx';
import { Tip } from './tip.tsx';

export interface ButtonProps {
  readonly children?: ReactNode;
  readonly onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  readonly look?: 'default' | 'primary' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** Says what the button does: required where it shows only an icon. */
  readonly label?: string;
  /** Whether what an icon means is shown beside it; it is always said. */
  readonly hasTip?: boolean;
  readonly type?: 'button' | 'submit';
  /** The form that it sends, where it stands outside of it. */
  readonly form?: string;
  readonly isPressed?: boolean;
  readonly isBusy?: boolean;
  /** Why it cannot be used now; shown to those who point at it or reach it by keyboard. */
  readonly disabledReason?: string | undefined;
  /** Disables the button with the policy's reason where it is not allowed. */
  readonly permission?: Permission | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button(props: ButtonProps): ReactElement {
  const { children, onClick, look = 'default', icon, label, type = 'button', isPressed, isBusy = false, permission, hasTip = true } = props;
  const isDenied = permission !== undefined && !permission.allowed;
  const reason = props.disabledReason ?? (isDenied ? permission.reason : undefined);
  const isIconOnly = icon !== undefined && children === undefined;
  const button = (
    <AriaButton
      type={type}
      form={props.form}
      className="button"
      data-look={look}
      data-icon-only={isIconOnly || undefined}
      aria-label={label}
      aria-pressed={isPressed}
      aria-busy={isBusy || undefined}
      disabled={reason !== undefined || isDenied || isBusy}
      accessibleWhenDisabled
      {...(onClick && { onClick })}
      {...(props.ref && { ref: props.ref })}
    >
      {icon && <Icon name={isBusy ? 'progress' : icon} isSpinning={isBusy} />}
      {children}
    </AriaButton>
  );
  const tip = reason ?? (isIconOnly && hasTip ? label : undefined);
  return tip === undefined ? button : <Tip text={tip}>{button}</Tip>;
}
