import { describe, expect, it } from 'vitest';
import { applicationSetFunctions, compileGoTemplate, fromJson, LimitError, TemplateError, textMap } from './index.ts';

const functions = applicationSetFunctions();
const render = (text: string, data = {}) => compileGoTemplate(text, { functions }).render(fromJson(data));

/** A list of two lists of two lists, and so on: sixty assignments, and more items than could ever be counted. */
const tree = (name: string): string => `{{ $${name} := list 1 }}{{ range 60 }}{{ $${name} = list $${name} $${name} }}{{ end }}`;

describe('APPSET-05: templates that would not end', () => {
  it.each([
    '{{ $x := repeat 8000000 "a" }}{{ range 600000 }}{{ $_ := sha256sum $x }}{{ end }}',
    '{{ $x := until 1000000 }}{{ range 600000 }}{{ range $x }}{{ break }}{{ end }}{{ end }}',
    '{{ $l := list }}{{ range 1000 }}{{ $l = append $l (split "" (repeat 100000 "a")) }}{{ end }}',
    '{{ $d := dict }}{{ range until 5000 }}{{ $_ := set $d (toString .) . }}{{ end }}{{ range 2000 }}{{ $_ := omit $d }}{{ end }}',
    ...['contains $part $text', 'replace $part "" $text', 'splitList $part $text', 'split $part $text', 'splitn $part 2 $text'].map(
      (call) => `{{ $part := print "ab" (repeat 1000000 "a") }}{{ $text := repeat 5000000 "a" }}{{ $_ := ${call} }}`,
    ),
    '{{ range 1000000000 }}x{{ end }}',
    '{{ range until 1000000000 }}x{{ end }}',
    '{{ repeat 1000000000 "xxxxxxxxxxxxxxxx" }}',
    '{{ $x := "xxxxxxxxxxxxxxxx" }}{{ range 100 }}{{ $x = print $x $x }}{{ end }}',
    '{{ $l := list 1 }}{{ range 100 }}{{ $l = concat $l $l }}{{ end }}',
    '{{ printf "%1000000d%1000000d%1000000d%1000000d%1000000d%1000000d%1000000d%1000000d%1000000d%1000000d" 1 1 1 1 1 1 1 1 1 1 }}',
    '{{ indent 1000000 (repeat 100 "\\n") }}',
    '{{ regexReplaceAll "" (repeat 3000 "a") (repeat 10000 "b") }}',
    '{{ range 1000 }}{{ regexMatch "(x+x+)+y" (repeat 2000 "x") }}{{ end }}',
    '{{ regexMatch (print "[" (repeat 500000 "b") "]") (repeat 500000 "a") }}',
    '{{ regexMatch (print (repeat 200000 "(b){0}") "c") (repeat 200000 "a") }}',
    '{{ replace "" (repeat 10000 "b") (repeat 10000 "a") }}',
    '{{ join (repeat 10000 "b") (until 10000) }}',
    '{{ seq 1 1000000000 }}',
    '{{ range 1000 }}{{ derivePassword 1 "long" "p" "u" "s" }}{{ end }}',
    '{{ define "a" }}{{ range 1000 }}{{ template "b" }}{{ end }}{{ end }}{{ define "b" }}{{ range 100000 }}{{ end }}{{ end }}{{ template "a" }}',
  ])('%s', (text) => {
    expect(() => render(text)).toThrow(LimitError);
  });

  it.each([
    '{{ $l }}',
    '{{ toJson $l }}',
    '{{ toYaml $l }}',
    '{{ print $l }}',
    '{{ printf "%v" $l }}',
    '{{ quote $l }}',
    '{{ join "," $l }}',
    '{{ $_ := deepCopy $l }}',
    '{{ $_ := dict $l 1 }}',
    '{{ $_ := set (dict) "x" $l }}',
    '{{ $_ := merge (dict) (dict "x" $l) }}',
    '{{ eq $l $l }}',
    '{{ deepEqual $l $m }}',
    '{{ has $l (list $m) }}',
    '{{ uniq (list $l $m) }}',
  ])('a value that holds others more often than can be gone through: %s', (text) => {
    expect(() => render(`${tree('l')}${tree('m')}${text}`)).toThrow(LimitError);
  });

  it.each([
    ['long texts', '$one := print (repeat 1000000 "a") "b"', '$other := print (repeat 1000000 "a") "c"'],
    ['long lists', '$one := append (until 100000) "b"', '$other := append (until 100000) "c"'],
  ])('%s that are nearly alike, compared again and again', (_what, one, other) => {
    const many = '{{ $many := list $other }}{{ range 12 }}{{ $many = concat $many $many }}{{ end }}';
    expect(() => render(`{{ ${one} }}{{ ${other} }}${many}{{ range 100 }}{{ $_ := has $one $many }}{{ end }}`)).toThrow(LimitError);
    expect(render(`{{ ${one} }}{{ ${other} }}{{ has $one (list $other) }} {{ has $one (list $other $one) }}`)).toBe('false true');
  });

  it('many keys that are picked out of many', () => {
    const names = Array.from({ length: 40_000 }, (_name, at) => `"k${at}"`).join(' ');
    const map = Object.fromEntries(Array.from({ length: 40_000 }, (_value, at) => [`x${at}`, at]));
    const startMs = performance.now();
    expect(render(`{{ len (pick .map ${names}) }} {{ len (omit .map ${names} "x1") }}`, { map })).toBe('0 39999');
    expect(performance.now() - startMs).toBeLessThan(8_000);
  });

  it('lists that grow out of a few aliases', () => {
    const ten = (item: string): string => Array.from({ length: 10 }, () => item).join(',');
    const text = `a: &a [${ten('{}')}]\nb: &b [${ten('*a')}]\nc: &c [${ten('*b')}]\nd: &d [${ten('*c')}]\ne: [*d,*d,*d,*d]\n`;
    expect(render('{{ len (fromYaml .text) }}', { text })).toBe('5');
    expect(() => render('{{ range 200 }}{{ $_ := fromYaml $.text }}{{ end }}', { text })).toThrow(LimitError);
    const json = `[${Array.from({ length: 50_000 }, () => '{}').join(',')}]`;
    expect(() => render('{{ range 200 }}{{ $_ := fromJson $.json }}{{ end }}', { json })).toThrow(LimitError);
  });

  it('a template that calls itself', () => {
    expect(() => render('{{ define "x" }}{{ template "x" . }}{{ end }}{{ template "x" . }}')).toThrow('exceeded maximum template depth');
    const deep = `{{ define "x" }}${'{{ if true }}'.repeat(300)}{{ template "x" . }}${'{{ end }}'.repeat(300)}{{ end }}{{ template "x" . }}`;
    expect(() => render(deep)).toThrow(TemplateError);
  });

  it('brackets and blocks within each other', () => {
    expect(() => render(`{{ ${'('.repeat(100_000)}1${')'.repeat(100_000)} }}`)).toThrow(TemplateError);
    expect(() => render(`${'{{ if true }}'.repeat(100_000)}${'{{ end }}'.repeat(100_000)}`)).toThrow(TemplateError);
    expect(() => render(`{{ regexMatch "${'('.repeat(50_000)}" "x" }}{{ mustRegexMatch "${'('.repeat(50_000)}" "x" }}`)).toThrow(
      TemplateError,
    );
  });

  it('a value that would hold itself', () => {
    expect(() => render('{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ $d }}')).toThrow('a value cannot be put into itself');
    expect(render('{{ $d := dict "a" 1 }}{{ $_ := merge $d (dict "d" $d) }}{{ $d }}')).toBe('map[a:1]');
  });

  it('texts that an expression would go through anew from every place', () => {
    const startMs = performance.now();
    expect(render('{{ base .text }}', { text: `${'/'.repeat(200_000)}x` })).toBe('x');
    expect(render('{{ durationRound .text }}', { text: '1'.repeat(200_000) })).toBe('0s');
    const spaces = `x${' '.repeat(200_000)}y`;
    expect(render(`${spaces}{{- "z" }}`)).toBe(`${spaces}z`);
    expect(render('{{ trim .text }}', { text: `  ${spaces} \n` })).toBe(spaces);
    expect(render('{{ len (b32dec (b32enc .text)) }}', { text: 'a'.repeat(2_000_001) })).toBe('2000001');
    expect(render('{{ b32dec (b32enc "häßlich") }}')).toBe('häßlich');
    expect(render('{{ len (wrapWith 1 "," .text) }}', { text: 'a'.repeat(400_000) })).toBe('799999');
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it('layouts of times whose digits could be shared out in many ways', () => {
    const never = render('{{ toDate "2006" "no year" | unixEpoch }}');
    const text = '1'.repeat(90);
    expect(render('{{ toDate .layout .text | unixEpoch }}', { layout: `${'2'.repeat(60)}x`, text })).toBe(never);
    expect(render('{{ toDate .layout .text | unixEpoch }}', { layout: '2'.repeat(100_000), text })).toBe(never);
    expect(render('{{ toDate "1/2/20063:04pm" "12/3/20201:05pm" | unixEpoch }}')).toBe('1607000700');
  });

  it.each(['{{ env "PATH" }}', '{{ expandenv "$PATH" }}', '{{ getHostByName "localhost" }}'])('%s is no function', (text) => {
    expect(() => render(text)).toThrow(/function "\w+" not defined/);
  });

  it('without a clock and randomness the answer never changes: functions that need them refuse', () => {
    expect(() => render('{{ now }}')).toThrow('there is no clock here');
    expect(() => render('{{ randAlphaNum 5 }}')).toThrow('there is no randomness here');
    expect(() => render('{{ genCA "x" 1 }}')).toThrow('genCA is not available here');
  });
});

it('APPSET-05: a long text that is nearly a number is none, in a time that grows with its length alone', { timeout: 10_000 }, () => {
  expect(render('{{ float64 (print (repeat 1000000 "1") "x") }}{{ float64 "1." }}{{ float64 ".5" }}{{ float64 "2.5e1" }}')).toBe('010.525');
});

describe('data from outside', () => {
  it('reaches nothing that is not in it', () => {
    const data: unknown = JSON.parse('{"__proto__": {"polluted": 1}, "list": [], "text": ""}');
    expect(render('{{ .__proto__ }}{{ .constructor }}{{ .hasOwnProperty }}', data as object)).toBe('map[polluted:1]<no value><no value>');
    expect(() => render('{{ .list.constructor }}', data as object)).toThrow("can't evaluate field constructor");
    expect(() => render('{{ .text.constructor.constructor }}', data as object)).toThrow("can't evaluate field constructor");
    expect(
      render('{{ set . "__proto__" (dict "x" 1) }}{{ toJson . }}{{ fromJson "{\\"__proto__\\":1}" }}{{ dict "__proto__" 1 | toYaml }}'),
    ).toContain('{"__proto__":{"x":1}}');
    expect(({} as { x?: unknown; polluted?: unknown }).x).toBeUndefined();
  });

  it('keeps the caller’s own data as they are', () => {
    const data = { a: { b: 1 } };
    render('{{ $_ := set .a "b" 2 }}{{ $_ := unset . "a" }}', data);
    expect(data).toEqual({ a: { b: 1 } });
  });

  it('knows maps of texts, where a missing key is an empty text', () => {
    const template = compileGoTemplate('[{{ index . "x" }}][{{ .y }}]{{ typeOf . }}', { functions });
    expect(template.render(textMap({ a: 'b' }))).toBe('[][<no value>]map[string]string');
  });

  it('refuses options that Go does not know', () => {
    expect(() => compileGoTemplate('x', { options: ['missingkey=error', 'color=red'] })).toThrow('unrecognized option: color=red');
  });
});
