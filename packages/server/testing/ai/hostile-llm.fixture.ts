// Invalid responses of a language model server.
import { gzipSync } from 'node:zlib';
import type { ScorerFault } from '../../src/ai/scorer.ts';
import {
  completion,
  failing,
  headlinesOf,
  json,
  type LlmBehaviour,
  type LlmServerRequest,
  saying,
} from './fake-llm.fixture.ts';

interface ScoreEntry {
  readonly id: string;
  readonly score: unknown;
}

/** Valid scores with a change. */
const changed = (change: (scores: ScoreEntry[]) => unknown): LlmBehaviour =>
  saying((asked: LlmServerRequest) =>
    JSON.stringify({ scores: change(headlinesOf(asked).map(({ id }) => ({ id, score: 0.5 }))) }),
  );
const scored = (score: string): LlmBehaviour =>
  saying((asked) => `{"scores":[${headlinesOf(asked).map(({ id }) => `{"id":"${id}","score":${score}}`)}]}`);

export const HOSTILE: readonly (readonly [name: string, fault: ScorerFault, behaviour: LlmBehaviour])[] = [
  ['a missing score', 'bad_response', changed((scores) => scores.slice(1))],
  ['an additional score', 'bad_response', changed((scores) => [...scores, { id: 'x', score: 0 }])],
  ['a duplicate id', 'bad_response', changed(([first]) => [first, first])],
  ['an unknown id', 'bad_response', changed(([first]) => [first, { id: 'abcdef', score: 0.5 }])],
  ['an additional field', 'bad_response', changed((scores) => scores.map((score) => ({ ...score, order: 'buy' })))],
  ['a score that is a word', 'bad_response', scored('"bullish"')],
  ['a score that is null', 'bad_response', scored('null')],
  ['a score that is not a number', 'bad_response', scored('NaN')],
  ['a score above 1', 'bad_response', scored('1.01')],
  ['an infinite score', 'bad_response', scored('-1e999')],
  ['a list instead of an object', 'bad_response', saying('[0.5, 0.5]')],
  ['words around the JSON', 'bad_response', saying('Sure! {"scores":[]}')],
  ['text without JSON', 'bad_response', saying('I cannot help with that.')],
  ['empty content', 'bad_response', saying('')],
  ['very deep nesting', 'bad_response', saying('['.repeat(200_000))],
  ['truncated content', 'bad_response', saying('{"scores":[{"id":', { choices: cut('{"scores":[{"id":') })],
  ['a refusal', 'bad_response', saying('', { choices: [{ finish_reason: 'stop', message: { refusal: 'no' } }] })],
  ['no choices', 'bad_response', saying('{}', { choices: [] })],
  [
    'an HTML page',
    'bad_response',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  ],
  ['truncated JSON', 'failed', (response) => json(response, completion('{}').slice(0, -20))],
  ['no content', 'bad_response', (response) => response.writeHead(204).end()],
  ['a body over the limit', 'failed', (response) => json(response, completion('x'.repeat(2 << 20)))],
  [
    'a decompression bomb',
    'failed',
    (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(64 << 20))),
  ],
  [
    'an endless body',
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
    'a slow body',
    'timed_out',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
  ['no response', 'timed_out', () => {}],
  [
    'a connection closed in the body',
    'failed',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"choices":');
      setTimeout(() => response.destroy(), 10);
    },
  ],
  ['a redirect', 'failed', failing(302, { location: 'http://127.0.0.1:9/v1/chat/completions' })],
  ['an endless redirect', 'failed', failing(307, { location: '/v1/chat/completions' })],
  ['403', 'failed', failing(403)],
  ['404', 'failed', failing(404)],
  ['400 for every format', 'bad_response', failing(400, {}, 'no')],
  ['429 forever', 'failed', failing(429, { 'retry-after': '0' })],
  ['an error of a megabyte', 'failed', failing(500, {}, 'x'.repeat(2 << 20))],
];

function cut(content: string): unknown[] {
  return [{ finish_reason: 'length', message: { content } }];
}
