/**
 * Puts a text on the clipboard, and tells whether that worked. Browsers have a clipboard for pages that came over HTTPS or from the same
 * machine; for others there is what people do: select, and copy.
 */
export async function putOnClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is none, or the page may not have it.
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.className = 'visually-hidden';
  area.style.whiteSpace = 'pre';
  area.readOnly = true;
  area.value = text;
  // A dialog keeps the focus inside of it.
  (focused?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
