import type { ReactElement } from 'react';

/** Drawn on a grid of 16 by 16, with lines of one and a half. */
const PATHS = {
  alert: 'M8 2 14.5 13.5h-13ZM8 6.5v3.2M8 11.6v.1',
  applications: 'M2 2.5h5v5H2zM9 2.5h5v5H9zM2 9.5h5v4H2zM9 9.5h5v4H9z',
  applicationSets: 'M8 1.8 14.5 5 8 8.2 1.5 5ZM1.5 8.2 8 11.4l6.5-3.2M1.5 11.2 8 14.4l6.5-3.2',
  arrowDown: 'M8 3v10M4 9l4 4 4-4',
  arrowUp: 'M8 13V3M4 7l4-4 4 4',
  check: 'M3 8.5 6.5 12 13 4.5',
  chevronDown: 'M4 6l4 4 4-4',
  chevronRight: 'M6 4l4 4-4 4',
  clock: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8M8 4.8V8l2.3 1.6',
  close: 'M4 4l8 8M12 4l-8 8',
  cluster: 'M2.5 2.5h11v4.5h-11zM2.5 9h11v4.5h-11zM5 4.8h.1M5 11.2h.1',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  external: 'M6 3.5H2.8v9.7h9.7V10M9.5 2.5h4v4M13.2 2.8 7.5 8.5',
  filter: 'M2 3.5h12L9.5 8.8v4.7l-3-1.6V8.8Z',
  help: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8M6.2 6.2A1.9 1.9 0 1 1 8 8.2v1M8 11.3v.1',
  key: 'M10.3 2.2a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M7.8 8.2 2.2 13.8M4.2 11.8l1.8 1.8',
  menu: 'M2 4h12M2 8h12M2 12h12',
  minus: 'M3.5 8h9',
  monitor: 'M1.8 2.8h12.4v8H1.8zM5.5 13.7h5M8 10.8v2.9',
  moon: 'M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z',
  more: 'M3 8h.1M8 8h.1M13 8h.1',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M4.5 2.8v10.4L13 8Z',
  plus: 'M8 3v10M3 8h10',
  progress: 'M8 1.8A6.2 6.2 0 1 1 1.8 8',
  project: 'M1.8 3.2h4.4l1.5 1.9h6.5v8H1.8z',
  pulse: 'M1.5 8h3l2-5 3 10 2-5h3',
  refresh: 'M13.5 8a5.5 5.5 0 1 1-1.7-4M13.5 1.8v3.4h-3.4',
  repository: 'M4.5 4.8a1.6 1.6 0 1 0 0-.1M4.5 6.3v3.4M4.5 11.3a1.6 1.6 0 1 0 0-.1M11.5 4.8a1.6 1.6 0 1 0 0-.1M11.5 6.3c0 2.6-3.5 2-5.6 4',
  rollback: 'M5.5 2.5 2 6l3.5 3.5M2.3 6h7.2a4 4 0 0 1 0 8H6',
  search: 'M7 2.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6M10.5 10.5 14 14',
  settings:
    'M2 4.5h6M12 4.5h2M10 2.7a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6M2 11.5h2M8 11.5h6M6 9.7a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6',
  shield: 'M8 1.6 13.4 3.5v4.1c0 3.4-2.3 5.6-5.4 6.8-3.1-1.2-5.4-3.4-5.4-6.8V3.5ZM5.6 7.9l1.7 1.7 3.1-3.3',
  signOut: 'M6.5 2.5h-4v11h4M10 4.8 13.3 8 10 11.2M13 8H6',
  star: 'm8 1.9 1.9 3.9 4.3.6-3.1 3 .7 4.3L8 11.7l-3.8 2 .7-4.3-3.1-3 4.3-.6Z',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M13 3l-1.2 1.2M4.2 11.8 3 13',
  sync: 'M2.5 6.5a5.6 5.6 0 0 1 10-1.8M13.5 9.5a5.6 5.6 0 0 1-10 1.8M13 1.8v3.4H9.6M3 14.2v-3.4h3.4',
  table: 'M1.8 2.8h12.4v10.4H1.8zM1.8 6.3h12.4M1.8 9.8h12.4',
  trash: 'M2.5 4h11M6 4V2.3h4V4M4 4l.7 9.7h6.6L12 4',
  user: 'M8 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6M2.5 14a5.5 5.5 0 0 1 11 0',
  users:
    'M6 2.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4M1.2 13.5a4.8 4.8 0 0 1 9.6 0M11 2.9a2.6 2.6 0 0 1 0 4.7M12.3 9.6a4.8 4.8 0 0 1 2.6 3.9',
} as const;

export type IconName = keyof typeof PATHS;

export interface IconProps {
  readonly name: IconName;
  readonly size?: number;
  readonly isFilled?: boolean;
  readonly isSpinning?: boolean;
}

/** A drawing beside words; it says nothing by itself, so it is hidden from those who listen. */
export function Icon({ name, size = 16, isFilled = false, isSpinning = false }: IconProps): ReactElement {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={isFilled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      data-spin={isSpinning || undefined}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
