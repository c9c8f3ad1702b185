// Subscribers of several accounts read the same indicators of bars.
import { expect, test } from 'bun:test';
import { CATALOGUE } from '@tickwire/engine';
import type { Caller } from '../../access/caller.ts';
import { RowAllowance } from '../../access/row-allowance.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { ReadWork } from '../../http/read-work.ts';
import { MarketView } from '../../market/market-view.ts';
import { FlowChannel } from '../../market/streams/flow-channel.ts';
import { TickChannel } from '../../market/streams/tick-channel.ts';
import type { Subscribe } from '../../ws/channel.ts';
import { Hub } from '../../ws/hub.ts';
import { StreamCounts } from '../../ws/stream-counts.ts';
import { Subscriber, type SubscriberConnection } from '../../ws/subscriber.ts';
import { Subscriptions } from '../../ws/subscriptions.ts';
import type { Topic } from '../../ws/topic.ts';
import { LiveIndicators } from '../live-indicators.ts';
import { BarChannel } from './bar-channel.ts';

const SYMBOL = CATALOGUE[0]!.symbol;
const TIER = { live_indicators: 4, export_rows_per_day: 1_000 };

/** The channel of bars of a process that computes eight indicators at most, half of them kept for the only tier. */
class Bars {
  /** The accounts that histories were read for. */
  readonly readFor: string[] = [];
  readonly indicators: LiveIndicators;
  readonly #channel: BarChannel;
  readonly #subscriptions: Subscriptions;

  constructor() {
    const now = (): number => 0;
    const market = new MarketView(CATALOGUE);
    const journal = { epoch: 'run', lastSeq: 0, append: () => {}, subscribe: () => () => {} };
    const common = { instruments: CATALOGUE, journal, market, simulated: false, capacity: 1, now };
    const queue = async <T>(account: string, _signal: unknown, work: () => Promise<T>): Promise<T> => {
      this.readFor.push(account);
      return work();
    };
    const sources = { store: { bars: async () => [] }, view: market };
    this.indicators = new LiveIndicators(sources, { queue }, { free: TIER }, 8);
    const [ticks, flows] = [new TickChannel(common), new FlowChannel(common)];
    const rows = new RowAllowance();
    this.#channel = new BarChannel({
      ...common,
      ticks,
      flows,
      rows,
      reads: new ReadWork(),
      indicators: this.indicators,
    });
    this.#subscriptions = new Subscriptions(
      new Hub({ now, publish: () => {}, audienceOf: () => 0, sockets: () => 0, counts: new StreamCounts() }),
    );
  }

  /** A stream of an account, whose number is its id. */
  streamOf(account: number): Subscriber {
    const quota = { name: `${account}`, grantedBy: '' };
    const tiered = {
      id: account,
      publicId: `pub_${account}`,
      tierName: 'free',
      tier: { ...TIER, requests_per_minute: 9 },
    };
    const caller = { account: tiered, quota } as unknown as Caller;
    const socket = { subscribe: () => {}, unsubscribe: () => {} };
    return Subscriber.of({ caller, socket, closed: false } as unknown as SubscriberConnection, 'market');
  }

  /** Reads averages of these lengths. Returns the code of the rejection, if there is one. */
  async read(subscriber: Subscriber, ...lengths: readonly number[]): Promise<string | undefined> {
    const indicators = lengths.map((length) => `sma(${length})`);
    const message: Subscribe = { action: 'subscribe', channel: 'bars', timeframe: '1m', indicators };
    const loaded = await this.#channel.load(subscriber, message, [SYMBOL], 1_000)!;
    const topic = loaded.open(SYMBOL);
    if (typeof topic !== 'string') this.#add(subscriber, topic);
    loaded.release();
    return typeof topic === 'string' ? topic : undefined;
  }

  #add(subscriber: Subscriber, topic: Topic): void {
    this.#subscriptions.remove(subscriber, topic.key);
    const options = { sequenced: false, ms: false, naming: false, latest: false };
    this.#subscriptions.add(subscriber, topic.subscription(options));
  }

  close(subscriber: Subscriber): void {
    this.#subscriptions.removeAll(subscriber);
  }
}

const REFUSED = new ServiceError('subscription_limit', '').code;

test('what an account shared and left no longer counts for it, but for those that stay', async () => {
  const bars = new Bars();
  const [first, second, third] = [bars.streamOf(1), bars.streamOf(2), bars.streamOf(3)];
  for (const stream of [first, second]) expect(await bars.read(stream, 1, 2, 3, 4)).toBeUndefined();
  bars.close(first);
  expect(bars.indicators.size).toBe(4);
  // Four are left. The second account has as many; the first has none.
  expect(await bars.read(bars.streamOf(2), 5)).toBe(REFUSED);
  expect(await bars.read(first, 5)).toBeUndefined();
  expect(await bars.read(third, 6)).toBeUndefined();
  for (const stream of [first, second, third]) bars.close(stream);
  expect(bars.indicators.size).toBe(0);
  expect(await bars.read(second, 1, 2, 3, 4)).toBeUndefined();
});

test('histories are read again in the turn of an account that is there', async () => {
  const bars = new Bars();
  const [first, again, second] = [bars.streamOf(1), bars.streamOf(1), bars.streamOf(2)];
  for (const stream of [first, again, second]) await bars.read(stream, 1);
  for (const stream of [first, again]) {
    bars.close(stream);
    bars.indicators.reload();
    await Bun.sleep(0);
  }
  expect(bars.readFor).toEqual(['pub_1', 'pub_1', 'pub_2']);
});
