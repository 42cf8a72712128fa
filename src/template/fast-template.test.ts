import { describe, expect, it } from 'vitest';
import { renderFastTemplate } from './fast-template.ts';

const parameters = {
  name: 'web',
  'path.basename': 'guestbook',
  'metadata.labels.my/key': 'x',
  'path[0]': 'apps',
  empty: '',
  number: 5,
  again: '{{name}}',
};

describe('simple substitution', () => {
  it.each([
    ['{{name}}-{{ path.basename }}', 'web-guestbook'],
    ['{{metadata.labels.my/key}}/{{path[0]}}', 'x/apps'],
    ['a-{{ nope }}', 'a-{{ nope }}'],
    ['{{number}}{{}}{{  }}', '{{number}}{{}}{{  }}'],
    ['[{{empty}}]', '[]'],
    ['{{again}}', '{{name}}'],
    ['no marks', 'no marks'],
    ['{{constructor}}{{__proto__}}{{toString}}', '{{constructor}}{{__proto__}}{{toString}}'],
    ['{{ .Values.x }} {{name}}', '{{ .Values.x }} web'],
    ['{{na\nme}}', '{{na\nme}}'],
    ['{{\nname\n}} {{name}}', 'web web'],
    ['{{ open only', '{{ open only'],
  ])('%j becomes %j', (text, made) => expect(renderFastTemplate(text, parameters)).toBe(made));

  it('refuses a mark that is never closed, where another one is', () => {
    expect(() => renderFastTemplate('{{name}} {{open', parameters)).toThrow('invalid template: Cannot find end tag="}}" in the template=');
  });

  it('APPSET-05: looks at a text of opening marks once', () => {
    const text = '{'.repeat(1_000_000);
    const startMs = performance.now();
    expect(renderFastTemplate(text, parameters)).toBe(text);
    expect(performance.now() - startMs).toBeLessThan(1_000);
  });
});
