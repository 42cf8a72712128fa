import { request as requestInPlain } from 'node:http';
import { request as requestOverTls } from 'node:https';
import type { Fairway } from './fairway.ts';

const ANSWER_LIMIT_MS = 10_000;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** One request on a connection of its own, also where the certificate is one that nobody else trusts. */
export function askAlone(fairway: Fairway, path: string, body?: object): Promise<Answer> {
  const send = fairway.url.startsWith('https:') ? requestOverTls : requestInPlain;
  const options = {
    method: body ? 'POST' : 'GET',
    agent: false,
    headers: { 'content-type': 'application/json' },
    rejectUnauthorized: false,
  };
  return new Promise((resolve, reject) => {
    const sent = send(`${fairway.url}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject).setTimeout(ANSWER_LIMIT_MS, () => sent.destroy(new Error('no answer')));
    sent.end(body && JSON.stringify(body));
  });
}
