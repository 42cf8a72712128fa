/** The frame around pages: addresses, commands and keys. */
export { applicationPath } from './application-path.ts';
export { useCommands } from './commands.ts';
export { ClearFilters, NoMatch, SearchFilter, useFilters, ValuesFilter } from './filters.tsx';
export { AppLink, readList, readText, useGo, usePathNames, useSearchValues } from './navigation.tsx';
export { PageTitle } from './page-title.tsx';
export { theme } from './theme.ts';
export { DeletedMeanwhile, NotReadAgain, Views } from './views.tsx';
export type { Command } from './commands.ts';
export type { SearchValues } from './navigation.tsx';
export type { Page } from './page.ts';
export type { Theme } from './theme.ts';
export type { View } from './views.tsx';
