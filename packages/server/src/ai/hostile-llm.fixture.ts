// Everything a server of language models may answer that is not an answer.
import { gzipSync } from 'node:zlib';
import { type Asked, type Behaviour, completion, failing, headlinesOf, json, saying } from './fake-llm.fixture.ts';
import type { ScorerFault } from './scorer-error.ts';

interface Entry {
  readonly id: string;
  readonly score: unknown;
}

/** Scores as they should be, changed. */
const changed = (change: (scores: Entry[]) => unknown): Behaviour =>
  saying((asked: Asked) =>
    JSON.stringify({ scores: change(headlinesOf(asked).map(({ id }) => ({ id, score: 0.5 }))) }),
  );
const scored = (score: string): Behaviour =>
  saying((asked) => `{"scores":[${headlinesOf(asked).map(({ id }) => `{"id":"${id}","score":${score}}`)}]}`);

export const HOSTILE: readonly (readonly [name: string, fault: ScorerFault, behaviour: Behaviour])[] = [
  ['a score is missing', 'bad_answer', changed((scores) => scores.slice(1))],
  ['a score too many', 'bad_answer', changed((scores) => [...scores, { id: 'x', score: 0 }])],
  ['one id twice', 'bad_answer', changed(([first]) => [first, first])],
  ['another id', 'bad_answer', changed(([first]) => [first, { id: 'abcdef', score: 0.5 }])],
  ['a field too many', 'bad_answer', changed((scores) => scores.map((score) => ({ ...score, order: 'buy' })))],
  ['a score that is a word', 'bad_answer', scored('"bullish"')],
  ['a score that is null', 'bad_answer', scored('null')],
  ['a score that is not a number', 'bad_answer', scored('NaN')],
  ['a score past 1', 'bad_answer', scored('1.01')],
  ['a score past any number', 'bad_answer', scored('-1e999')],
  ['a list instead of an object', 'bad_answer', saying('[0.5, 0.5]')],
  ['words around the JSON', 'bad_answer', saying('Sure! {"scores":[]}')],
  ['only words', 'bad_answer', saying('I cannot help with that.')],
  ['nothing', 'bad_answer', saying('')],
  ['nesting without end', 'bad_answer', saying('['.repeat(200_000))],
  ['an answer cut off', 'bad_answer', saying('{"scores":[{"id":', { choices: cut('{"scores":[{"id":') })],
  ['a refusal', 'bad_answer', saying('', { choices: [{ finish_reason: 'stop', message: { refusal: 'no' } }] })],
  ['no choices', 'bad_answer', saying('{}', { choices: [] })],
  [
    'a page of HTML',
    'bad_answer',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  ],
  ['JSON cut off', 'failed', (response) => json(response, completion('{}').slice(0, -20))],
  ['no content', 'bad_answer', (response) => response.writeHead(204).end()],
  ['a body over its bound', 'failed', (response) => json(response, completion('x'.repeat(2 << 20)))],
  [
    'a packed bomb',
    'failed',
    (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(64 << 20))),
  ],
  [
    'a body without end',
    'failed',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more).on('close', () => response.removeAllListeners('drain'));
      more();
    },
  ],
  [
    'a body that drips',
    'timed_out',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
  ['no answer at all', 'timed_out', () => {}],
  [
    'a connection cut in the middle',
    'failed',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"choices":');
      setTimeout(() => response.destroy(), 10);
    },
  ],
  ['a redirect', 'failed', failing(302, { location: 'http://127.0.0.1:9/v1/chat/completions' })],
  ['a redirect without an end', 'failed', failing(307, { location: '/v1/chat/completions' })],
  ['no rights', 'failed', failing(403)],
  ['no such model', 'failed', failing(404)],
  ['a request that is never understood', 'failed', failing(400, {}, 'no')],
  ['too many requests, always', 'failed', failing(429, { 'retry-after': '0' })],
  ['an error of a megabyte', 'failed', failing(500, {}, 'x'.repeat(2 << 20))],
];

function cut(content: string): unknown[] {
  return [{ finish_reason: 'length', message: { content } }];
}
