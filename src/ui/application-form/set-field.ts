/** A copy with a field set, or without it where the value says nothing: an application that says only what somebody meant is easier to read. */
export function setField<Type extends object, Key extends keyof Type>(object: Type, key: Key, value: Type[Key] | undefined): Type {
  const { [key]: _before, ...rest } = object;
  return (isSilent(value) ? rest : { ...rest, [key]: value }) as Type;
}

/** The same for a part that is an object itself, which says nothing where nothing is in it. */
export function setPart<Type extends object, Key extends keyof Type>(object: Type, key: Key, value: Type[Key] | undefined): Type {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return setField(object, key, isEmpty ? undefined : value);
}

function isSilent(value: unknown): boolean {
  return value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);
}
