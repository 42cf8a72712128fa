/** What pages are made of: buttons, tables, dialogs, states and the rest, with one look in light and dark. */
export { Button } from './button.tsx';
export { CodeView, DiffView } from './code-view.tsx';
export { formatAge } from './format-age.ts';
export { Icon } from './icon.tsx';
export { Menu, MenuItem, MenuSeparator } from './menu.tsx';
export { Dialog, Panel } from './overlays.tsx';
export { readWebAddress } from './read-web-address.ts';
export { Copy, ExternalLink, Kbd, TimeAgo } from './small.tsx';
export { EmptyState, ErrorState, Loading, Notice } from './states.tsx';
export { Badge, Status, statusLook } from './status.tsx';
export { Tabs } from './tabs.tsx';
export { Tip } from './tip.tsx';
export { showToast, Toasts } from './toast.tsx';
export { VirtualTable } from './virtual-table.tsx';
export type { IconName } from './icon.tsx';
export type { StatusKind, Tone } from './status.tsx';
export type { TabDescription } from './tabs.tsx';
export type { Column } from './virtual-table.tsx';
