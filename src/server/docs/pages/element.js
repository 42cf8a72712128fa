/**
 * Makes an element. Children that are strings become text, so nothing that is shown can become markup.
 * @param {string} name
 * @param {Record<string, any>} [properties] `class` and names with a dash become attributes, the others properties.
 * @param {...(Node | string)} children
 */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key === 'class' || key.includes('-')) made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

/** Text in which `words between backticks` are shown as code. */
export function prose(text) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part));
}

/** A path that may be broken after each slash where a line is too short. */
export function breakable(path) {
  return path.split(/(?<=\/)/).flatMap((part) => [part, element('wbr')]);
}
