import type { Cell, Matrix, Outcome } from '../../../test/conformance/contract/read-matrix.ts';

const CALLERS: Readonly<Record<string, string>> = {
  anonymous: 'without a token',
  noRights: 'account that no policy says anything about',
  readOnly: 'account with `role:readonly`',
  projectRole: "token of a role of the thing's project",
  otherProject: 'account of another project',
  admin: 'administrator',
};

const WORDS: readonly (readonly [Outcome, string])[] = [
  ['yes', 'The call is answered.'],
  ['listed', 'A list is answered, and the thing is in it.'],
  ['empty', 'A list is answered, and the thing is not in it.'],
  ['silent', 'A stream is open, and tells nothing of the thing.'],
  ['unauthenticated', 'Code 16, HTTP 401.'],
  ['denied', 'Code 7, HTTP 403.'],
  ['missing', 'Code 5, HTTP 404.'],
  ['invalid', 'Code 3, HTTP 400: the caller may, and there is nothing to do it to.'],
  [
    'failed',
    "Code 2, HTTP 500: the caller may, and the server that was asked says no. For links of a project, Argo CD's form of a refusal.",
  ],
];

/** The page that shows who gets what. */
export function writeAuthorisationPage({ callers, rows }: Matrix): string {
  const services = [...new Set(rows.map(({ method }) => serviceOf(method)))];
  return [
    '# Who gets what from each method',
    '',
    '<!-- Made by `npm run generate` from test/conformance/authorisation-matrix.txt. -->',
    '',
    'Every method of the API, asked by six callers about a thing that is there and about one that is not. A test asks all of them of the real program,',
    'over REST and over gRPC, and holds every cell. Two words in a cell are the answers for a thing that is there, and for one that is not. Who may not',
    'see a thing reads the same answer in both cases, word for word but for the name that they asked for.',
    '',
    'What rights each caller has, and how to give them, is in [access.md](access.md).',
    '',
    '| caller | who that is |',
    '|---|---|',
    ...callers.map((caller) => `| ${caller} | ${CALLERS[caller] ?? ''} |`),
    '',
    '| word | meaning |',
    '|---|---|',
    ...WORDS.map(([word, meaning]) => `| ${word} | ${meaning} |`),
    ...services.flatMap((service) => [
      '',
      `## ${service}`,
      '',
      `| method | ${callers.join(' | ')} |`,
      `|---|${callers.map(() => '---|').join('')}`,
      ...rows
        .filter(({ method }) => serviceOf(method) === service)
        .map(({ method, cells }) => `| ${nameOf(method)} | ${callers.map((caller) => textOf(cells.get(caller))).join(' | ')} |`),
    ]),
    '',
  ].join('\n');
}

function serviceOf(method: string): string {
  return method.slice(0, method.indexOf('/'));
}

function nameOf(method: string): string {
  return method.slice(method.indexOf('/') + 1);
}

function textOf(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  return cell.present === cell.absent ? cell.present : `${cell.present} / ${cell.absent}`;
}
