import { expect, test } from 'bun:test';
import { ManualTiming } from '../../testing/manual-timing.ts';
import { TickwireClient } from '../client.ts';
import { warnOfFailures, warnOfFailuresAndEnd } from './failure-warning.ts';
import type { StateDetail, StreamState } from './reconnecting-socket.ts';

const FAILED: StateDetail = { end: { code: 1006, reason: 'connection refused' }, retryInMs: 420 };
const NONE: StateDetail = { end: null, retryInMs: null };

test('warns of the first failed attempt with its reason and the next try, and again only after the stream was live', () => {
  const warnings: string[] = [];
  const onState = warnOfFailures('market', 'ws://127.0.0.1:8080/ws/market', (text) => warnings.push(text));
  const attempt = (): void => {
    onState('connecting', NONE);
    onState('connecting', FAILED);
  };
  attempt();
  attempt();
  expect(warnings).toEqual([
    'tickwire: the stream of market cannot connect to ws://127.0.0.1:8080: connection refused. ' +
      'Next attempt in 0.4 s, then less often; onState replaces this warning',
  ]);
  onState('connecting', NONE);
  onState('live', NONE);
  // A connection that breaks is no failed attempt.
  onState('connecting', FAILED);
  expect(warnings).toHaveLength(1);
  attempt();
  expect(warnings).toHaveLength(2);
});

test('says that the service has ended a stream with callbacks, but not that the caller has', () => {
  const warnings: string[] = [];
  const onState = () => warnOfFailuresAndEnd('market', 'ws://127.0.0.1:8080/ws/market', (text) => warnings.push(text));
  onState()('closed', { end: { code: 1000, reason: 'closed by the client' }, retryInMs: null });
  expect(warnings).toEqual([]);
  onState()('closed', { end: { code: 4401, reason: 'revoked' }, retryInMs: null });
  onState()('closed', { end: { code: 4413, reason: '' }, retryInMs: null });
  expect(warnings).toEqual([
    'tickwire: ws://127.0.0.1:8080 has ended the stream of market: revoked. It does not reconnect; onState replaces this warning',
    'tickwire: ws://127.0.0.1:8080 has ended the stream of market: closed with 4413. It does not reconnect; onState replaces this warning',
  ]);
});

/** Fails as in Node 22: an error while it is connecting, one more when it is closed, and no close event. */
class Refused {
  readonly readyState = 0;
  onopen = null;
  onmessage = null;
  onclose = null;
  onerror: ((event: never) => void) | null = null;
  constructor() {
    queueMicrotask(() => this.#fail('Received network error or non-101 status code.'));
  }
  send(): void {}
  close(): void {
    this.#fail('Connection was closed before it was established.');
  }
  #fail(message: string): void {
    this.onerror?.({ message } as never);
  }
}

test('an error before the connection is open is its end, without a wait for the close event', async () => {
  const timing = new ManualTiming();
  const states: [StreamState, StateDetail][] = [];
  const options = { url: 'http://127.0.0.1:1', apiKey: 'k', WebSocket: Refused, timing };
  const onState = (...state: [StreamState, StateDetail]): void => void states.push(state);
  const ticks = new TickwireClient(options).live.ticks({ symbols: ['EURUSD'], share: false, onState });
  await Promise.resolve();
  const end = { code: 1006, reason: 'Received network error or non-101 status code.' };
  expect(states).toEqual([
    ['connecting', NONE],
    ['connecting', { end, retryInMs: 250 }],
  ]);
  timing.advance(250);
  await Promise.resolve();
  expect(states.slice(2)).toEqual([
    ['connecting', NONE],
    ['connecting', { end, retryInMs: 500 }],
  ]);
  ticks.close();
  expect(timing.pending).toBe(0);
});
