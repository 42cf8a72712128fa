import { TemplateError } from './template-error.ts';

/**
 * Simple substitution: `{{ key }}` becomes the text that the parameters have under that key. What they lack, or what is no text
 * there, stays as it is, also its spaces, so that other languages can live in the same text. Nothing is looked at twice.
 */
export function renderFastTemplate(text: string, parameters: Readonly<Record<string, unknown>>): string {
  if (!isTemplate(text)) return text;
  let made = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    if (open < 0) return made + text.slice(at);
    const close = text.indexOf('}}', open + 2);
    if (close < 0)
      throw new TemplateError(
        `invalid template: Cannot find end tag="}}" in the template=${JSON.stringify(text)} starting from ${JSON.stringify(text.slice(open + 2))}`,
      );
    const tag = text.slice(open + 2, close);
    const key = tag.trim();
    const value = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
    made += text.slice(at, open) + (typeof value === 'string' ? value : `{{${tag}}}`);
    at = close + 2;
  }
}

/** Whether some one line has an opening and a closing mark; only then is a text looked at. */
export function isTemplate(text: string): boolean {
  if (!text.includes('{{')) return false;
  return text.split(/[\n\r\u2028\u2029]/).some((line) => {
    const open = line.indexOf('{{');
    return open >= 0 && line.includes('}}', open + 2);
  });
}
