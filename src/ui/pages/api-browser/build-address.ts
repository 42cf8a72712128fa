import type { Operation } from './read-document.ts';

export type Given = Readonly<Record<string, string>>;

/** The address of a call: names of the path filled in, the rest behind the question mark. Values of a list stand on lines of their own. */
export function buildAddress({ path, parameters }: Operation, given: Given): string {
  const valueOf = (name: string): string => (Object.hasOwn(given, name) ? (given[name] ?? '') : '');
  const filled = path.replaceAll(/\{([^}=]+)(=\*\*)?\}/g, (_whole, name: string, deep: string | undefined) => {
    const value = valueOf(name);
    return deep === undefined ? encodeURIComponent(value) : value.split('/').map(encodeURIComponent).join('/');
  });
  const query = new URLSearchParams();
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'query') continue;
    const values = schema?.type === 'array' ? valueOf(name).split('\n') : [valueOf(name)];
    for (const value of values) if (value.trim() !== '') query.append(name, value.trim());
  }
  const text = query.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/** What has to be filled in before the call makes sense. */
export function missingNames({ parameters }: Operation, given: Given): readonly string[] {
  return parameters.flatMap(({ name, in: place, required }) =>
    (place === 'path' || required === true) && (given[name] ?? '').trim() === '' ? [name] : [],
  );
}
