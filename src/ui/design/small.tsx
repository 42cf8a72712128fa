import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { createStore, useStore } from '../api/index.ts';
import { Button } from './button.tsx';
import { formatAge } from './text/format-age.ts';
import { Icon } from './icon.tsx';
import { putOnClipboard } from './put-on-clipboard.ts';
import { readWebAddress } from './text/read-web-address.ts';
import { UserText } from './text/user-text.tsx';
import { showToast } from './toast.tsx';

const TICK_MS = 10_000;
const now = createStore(Date.now());
let tickers = 0;
let timer: number | undefined;

/** One clock for all ages on the page. */
function useNow(): number {
  useEffect(() => {
    tickers += 1;
    if (tickers === 1) timer = window.setInterval(() => now.set(Date.now()), TICK_MS);
    return () => {
      tickers -= 1;
      if (tickers === 0) window.clearInterval(timer);
    };
  }, []);
  return useStore(now);
}

/** How long ago, as `5m ago`; the exact time when pointed at. */
export function TimeAgo({
  time,
  suffix = ' ago',
}: {
  readonly time: string | null | undefined;
  readonly suffix?: string;
}): ReactElement | null {
  const current = useNow();
  const at = time == null ? Number.NaN : Date.parse(time);
  if (time == null || Number.isNaN(at)) return null;
  return (
    <time dateTime={time} title={new Date(at).toLocaleString()}>
      {formatAge(Math.max(0, current - at))}
      {suffix}
    </time>
  );
}

/** Puts a text on the clipboard. */
export function Copy({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }): ReactElement {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    if (!(await putOnClipboard(text)))
      return showToast('bad', 'The browser does not let this page copy. Select the text and copy it by hand.');
    setDone(true);
    window.setTimeout(() => setDone(false), 1_500);
  };
  return <Button look="quiet" icon={isDone ? 'check' : 'copy'} label={isDone ? 'Copied' : label} onClick={() => void copy()} />;
}

/** A link away from here. What is not plain http or https is shown as text: it could be a script. */
export function ExternalLink({ href, children }: { readonly href: string | undefined; readonly children?: ReactNode }): ReactElement {
  const address = readWebAddress(href);
  if (address === undefined) return <span>{children ?? <UserText>{href}</UserText>}</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children ?? <UserText>{href}</UserText>} <Icon name="external" size={12} />
    </a>
  );
}

export function Kbd({ children }: { readonly children: ReactNode }): ReactElement {
  return <kbd className="kbd">{children}</kbd>;
}
