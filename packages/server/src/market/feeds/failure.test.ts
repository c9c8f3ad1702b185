// Every way in which a venue fails, from the socket of a fake venue to the words for it.
import { describe, expect, test } from 'bun:test';
import { fakeKraken } from '../../../testing/feeds/fake-kraken.fixture.ts';
import { FakeVenue, type Outage } from '../../../testing/feeds/fake-venue.fixture.ts';
import { RecordingSink } from '../../../testing/feeds/recording-sink.fixture.ts';
import {
  connectorFor,
  VENUES_UNDER_TEST,
  VENUES_WITHOUT_IDS,
} from '../../../testing/feeds/venues-under-test.fixture.ts';
import { type FailureCause, failureOf } from './failure.ts';

const OUTAGES: readonly (readonly [Outage, FailureCause, string])[] = [
  ['blocked region', 'blocked-region', 'refuses connections from this region (HTTP 451)'],
  ['forbidden', 'forbidden', 'refuses this address (HTTP 403: a blocked region, or too many requests)'],
  ['maintenance', 'maintenance', 'is down for maintenance, or overloaded (HTTP 503)'],
  ['no answer', 'timeout', 'does not answer (no connection within 100 ms)'],
];

describe.each([...VENUES_UNDER_TEST, ...VENUES_WITHOUT_IDS])('a failure of $name', (venue) => {
  const { name } = venue;
  const failing = async (connector: ReturnType<typeof connectorFor>) =>
    failureOf(await connector.connect(new RecordingSink()).catch((error: unknown) => error), name);

  test.each(OUTAGES)('%s has a cause and words for it', async (outage, cause, text) => {
    await using fake = new FakeVenue(venue.protocol());
    fake.outage = outage;
    const timing = cause === 'timeout' ? { connectTimeoutMs: 100 } : {};
    expect(await failing(connectorFor(venue, fake, timing))).toEqual({ cause, text });
  });

  test.each(['dns', 'tls', 'unreachable'] as const)('%s is told from the others', async (cause) => {
    await using fake = new FakeVenue(venue.protocol());
    expect((await failing(connectorFor(venue, fake.faultyUrls[cause]))).cause).toBe(cause);
  });

  test.each([
    ['451', 'blocked-region'],
    ['403', 'forbidden'],
    ['429', 'rate-limit'],
    ['500', 'server-error'],
    ['hang', 'timeout'],
  ] as const)('%s over REST has the same words', async (fault, cause) => {
    await using fake = new FakeVenue(venue.protocol());
    const timing = { restAttempts: 1, ...(fault === 'hang' && { restTimeoutMs: 100 }) };
    const connector = connectorFor(venue, fake, timing);
    fake.restFaults.push(fault);
    const error = await connector.fetchPrecision!().catch((reason: unknown) => reason);
    expect(failureOf(error, name).cause).toBe(cause);
  });
});

test.each([
  ['kraken', { error: ['EService:Unavailable'] }, 'maintenance'],
  ['kraken', { error: ['EAPI:Rate limit exceeded'] }, 'rate-limit'],
  ['okx', { code: '50001', msg: 'Service temporarily unavailable.', data: [] }, 'maintenance'],
  ['okx', { code: '50011', msg: 'Too Many Requests', data: [] }, 'rate-limit'],
  ['bybit', { retCode: 10_016, retMsg: 'Server error.', result: {} }, 'maintenance'],
  ['bybit', { retCode: 10_006, retMsg: 'Too many visits!', result: {} }, 'rate-limit'],
] as const)('%s says %p with status 200', async (name, body, cause) => {
  const venue = VENUES_UNDER_TEST.find((each) => each.name === name)!;
  await using fake = new FakeVenue(venue.protocol());
  fake.answerRest = () => Response.json(body);
  const error = await connectorFor(venue, fake, { restAttempts: 1 }).fetchPrecision!().catch(
    (reason: unknown) => reason,
  );
  expect(failureOf(error, name).cause).toBe(cause);
});

test('a socket that stays open during maintenance ends, so that another venue can take over', async () => {
  await using fake = new FakeVenue(fakeKraken(undefined, { system: () => 'maintenance' }));
  const kraken = VENUES_UNDER_TEST.find(({ name }) => name === 'kraken')!;
  const reason = await connectorFor(kraken, fake)
    .connect(new RecordingSink())
    .then(({ closed }) => closed)
    .catch((error: unknown) => error);
  expect(failureOf(reason, 'kraken').cause).toBe('maintenance');
});

test.each([
  [
    'bybit: subscription refused: Invalid symbol :[orderbook.1.CERTUSDT]',
    'unknown-symbol',
    'does not offer an instrument (Invalid symbol :[orderbook.1.CERTUSDT])',
  ],
  ['closed by the venue (1006)', 'closed', 'closed the connection (1006)'],
  ['silent for 31 s', 'silent', 'has gone silent (silent for 31 s)'],
  [
    'TLS handshake failed: self signed certificate',
    'tls',
    'cannot be reached securely (TLS handshake failed: self signed certificate)',
  ],
  [
    'bybit: subscriptions not confirmed within 10000 ms',
    'timeout',
    'does not answer (subscriptions not confirmed within 10 s)',
  ],
  ['getaddrinfo ENOTFOUND stream.bybit.com', 'dns', 'cannot be found: its name does not resolve (DNS)'],
  ['status 404 for bars of BTCUSDT', 'other', 'refuses the request (HTTP 404)'],
  ['the book of BTCUSDT stays crossed', 'other', 'has a problem: the book of BTCUSDT stays crossed'],
  ['ended by the venue', 'closed', 'closed the connection (no reason given)'],
])('%s', (reason, cause, text) => {
  expect(failureOf(new Error(reason), 'bybit')).toEqual({ cause: cause as FailureCause, text });
});
