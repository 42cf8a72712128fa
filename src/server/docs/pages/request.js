/** The address relative to this page: `/docs` may stand below a root path. */
export function addressOf(path, values) {
  const query = new URLSearchParams();
  let filled = path;
  for (const { parameter, texts } of values) {
    if (parameter.in === 'path') filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(texts[0] ?? ''));
    else for (const text of texts) query.append(parameter.name, text);
  }
  const search = query.toString();
  return new URL(filled.slice(1) + (search ? `?${search}` : ''), new URL('.', document.baseURI)).href;
}

/** The same request for a terminal. The token stays out of it. */
export function curlOf({ verb, url, body, hasToken }) {
  const parts = ['curl', '-X', verb, quote(url)];
  if (hasToken) parts.push('-H', '"Authorization: Bearer $TOKEN"');
  if (verb !== 'GET') parts.push('-H', quote('Content-Type: application/json'));
  if (body) parts.push('--data-raw', quote(body));
  return parts.join(' ');
}

/** Sends a request and hands over each piece of the answer's text as it comes. */
export async function send({ verb, url, body, token, signal, onStart, onText }) {
  const headers = new Headers();
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (verb !== 'GET') headers.set('Content-Type', 'application/json');
  const response = await fetch(url, { method: verb, headers, body: body || undefined, signal, redirect: 'error' });
  onStart(response);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader.read()) onText(piece.value);
}

function quote(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
