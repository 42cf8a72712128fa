export function uiFolder(root: string): string;
export function uiStamp(root: string): string | undefined;
export function isUiCurrent(root: string, folder?: string): boolean;
export const uiStampName: string;
