import { describe, expect, test } from 'bun:test';
import { asSymbol } from '@tickwire/engine';
import { FakeVenue } from '../../../../testing/feeds/fake-venue.fixture.ts';
import { ReferenceLoop, until } from '../../../../testing/feeds/reference-loop.fixture.ts';
import { connectorFor, VENUES_UNDER_TEST } from '../../../../testing/feeds/venues-under-test.fixture.ts';
import type { VenueTiming } from './venue.ts';

/** Long enough for a busy machine, on which a burst takes longer than a short silence. */
const STALE_MS = 30_000;
const BURST = 50_000;

describe.each(VENUES_UNDER_TEST)('$name', (venue) => {
  const btc = venue.btc;
  const symbol = asSymbol(venue.instrument);
  const { pastTrades = Number.POSITIVE_INFINITY } = venue;
  /** The number of trades, reduced to what the venue still lists. */
  const listed = (count: number): number => Math.min(count, pastTrades - 10);

  async function setUp(
    timing: Partial<VenueTiming> = {},
  ): Promise<AsyncDisposable & { fake: FakeVenue; loop: ReferenceLoop; whole(): Promise<void> }> {
    const fake = new FakeVenue(venue.protocol(), { pingMs: 100, heartbeatMs: 50 });
    const loop = new ReferenceLoop(connectorFor(venue, fake, timing), STALE_MS);
    await until(() => loop.live, 'the first connection');
    fake.trade(btc, 3);
    await until(() => loop.ids(symbol).length === 3, 'the first trades');
    return {
      fake,
      loop,
      async whole() {
        const truth = fake.tape.of(btc);
        await until(() => loop.trades.get(symbol)!.size >= truth.length, 'every trade');
        expect(loop.ids(symbol)).toEqual(truth.map((trade) => trade.id));
        for (const { id, price, size, taker, timeUs } of truth.slice(-100)) {
          const time = Math.floor(timeUs / 1_000);
          expect(loop.trades.get(symbol)!.get(id)).toMatchObject({
            price: Number(price),
            size: Number(size),
            side: taker,
            time,
          } as object);
        }
      },
      async [Symbol.asyncDispose]() {
        await loop[Symbol.asyncDispose]();
        await fake[Symbol.asyncDispose]();
      },
    };
  }

  test('delivers a burst of 50,000 trades completely over the socket', async () => {
    await using s = await setUp();
    s.fake.trade(btc, BURST);
    await s.whole();
    expect(s.loop).toMatchObject({ backfilled: 0, duplicates: 0, complaints: [] });
  });

  const fate = pastTrades > BURST ? 'loses no trade' : 'knows what is lost';
  test(`${fate} if the connection is cut during a burst of 50,000`, async () => {
    await using s = await setUp();
    s.fake.trade(btc, BURST / 2);
    await until(() => s.loop.trades.get(symbol)!.size > 100, 'the burst to begin');
    s.fake.cut('without close frame');
    s.fake.trade(btc, BURST / 2);
    await until(() => s.fake.connections === 2, 'the second connection');
    if (pastTrades > BURST) {
      await s.whole();
      expect(s.loop.backfilled).toBeGreaterThan(0);
    } else {
      await until(() => s.loop.unfilled > 0, 'the loss to be known');
      expect(s.loop.ids(symbol).length).toBeLessThan(s.fake.tape.of(btc).length);
    }
  });

  test('reports the close code and backfills the missed trades', async () => {
    await using s = await setUp();
    s.fake.refuse(2);
    s.fake.cut('with close frame');
    await until(() => !s.loop.live, 'the cut');
    s.fake.trade(btc, 20);
    await until(() => s.loop.live, 'the second connection');
    s.fake.trade(btc, 2);
    await s.whole();
    expect(s.loop.closings[0]).toContain('1001');
    expect(s.loop.closings).toHaveLength(3);
    expect(s.loop.backfilled).toBeGreaterThanOrEqual(20);
  });

  test('drops a silent connection and backfills the missed trades', async () => {
    await using s = await setUp();
    s.loop.staleMs = 300;
    s.fake.stall();
    s.fake.trade(btc, listed(1_500));
    await until(() => s.fake.connections >= 2, 'the second connection');
    await s.whole();
    // A busy machine may take the next connection for silent, too.
    expect(new Set(s.loop.closings)).toEqual(new Set(['closed by us']));
  });

  test('counts duplicate and out-of-order trades once', async () => {
    await using s = await setUp();
    const twice = s.fake.trade(btc, 100, 'twice');
    s.fake.trade(btc, 100, 'shuffled');
    s.fake.deliver(twice, 'sent');
    s.fake.trade(btc, 1);
    await s.whole();
    expect(s.loop.duplicates).toBeGreaterThanOrEqual(200);
  });

  test('fetches missing trade ids over REST', async () => {
    await using s = await setUp();
    s.fake.trade(btc, listed(2_345), 'lost');
    s.fake.trade(btc, 5);
    await s.whole();
    expect(s.loop.backfilled).toBe(listed(2_345));
  });

  test('complains of invalid messages by name and fetches a malformed trade again', async () => {
    await using s = await setUp();
    s.fake.sendInvalid(btc);
    s.fake.trade(btc, 3, 'malformed');
    s.fake.trade(btc, 2);
    await s.whole();
    expect(s.loop.closings).toEqual([]);
    expect(s.loop.backfilled).toBe(3);
    expect(s.loop.complaints.length).toBeGreaterThan(10);
    expect(s.loop.complaints.every((what) => /^[a-z][A-Za-z ]+: /.test(what))).toBe(true);
    expect(s.loop.complaints.filter((what) => what.startsWith('trade without price: ')).length).toBe(3);
  });

  test('recovers from a restart of the venue', async () => {
    await using s = await setUp();
    await s.fake.down();
    s.fake.trade(btc, listed(700));
    await until(() => s.loop.closings.length > 2, 'attempts in vain');
    s.fake.up();
    await until(() => s.loop.live, 'the second connection');
    s.fake.trade(btc, 3);
    await s.whole();
  });

  test('completes the repair although REST is slow, busy, failing or truncated', async () => {
    await using s = await setUp({ restTimeoutMs: 1_000 });
    s.fake.restFaults.push('429', '500', 'truncated', 'hang');
    s.fake.trade(btc, 30, 'lost');
    s.fake.trade(btc, 1);
    await s.whole();
    expect(s.loop.backfilled).toBe(30);
  });
});
