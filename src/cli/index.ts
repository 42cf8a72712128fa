/** The `fairway` command as a person types it: flags, help and the words on the screen. It does nothing by itself. */
export { formatAddress, isLoopback, reachableAddress } from './address.ts';
export { formatHelp } from './format-help.ts';
export { formatKubeconfig } from './format-kubeconfig.ts';
export { formatShadowReport } from './format-shadow-report.ts';
export { formatWelcome } from './format-welcome.ts';
export { parseCommand, UsageError } from './parse-command.ts';
export type { Address } from './address.ts';
export type { UpOptions } from './flags.ts';
export type { Command } from './parse-command.ts';
