import type { ReactElement, ReactNode } from 'react';
import { createStore, useStore } from '../api/index.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import type { Tone } from './status.tsx';

const SHOWN_MS = 6_000;
const TOASTS_MAX = 4;

interface Toast {
  readonly id: number;
  readonly tone: Tone;
  readonly text: ReactNode;
}

const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

/** Says something in the corner. What went wrong stays until somebody has read it. */
export function showToast(tone: 'good' | 'bad' | 'busy' | 'warn', text: ReactNode): void {
  const id = (lastId += 1);
  toasts.set([...toasts.get().slice(1 - TOASTS_MAX), { id, tone, text }]);
  if (tone !== 'bad') window.setTimeout(() => dismiss(id), SHOWN_MS);
}

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

const ICONS: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  bad: 'alert',
  busy: 'progress',
  warn: 'alert',
  calm: 'help',
  mute: 'help',
};

export function Toasts(): ReactElement {
  return (
    <section className="toasts" aria-label="Messages" aria-live="polite">
      {useStore(toasts).map(({ id, tone, text }) => (
        <div key={id} className="toast" data-tone={tone}>
          <Icon name={ICONS[tone]} />
          <div className="grow">{text}</div>
          <Button look="quiet" icon="close" label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </section>
  );
}
