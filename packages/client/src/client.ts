// The Tickwire client: typed REST calls, and streams that reconnect and resume by themselves.
import type { ClientOptions } from './client-options.ts';
import type { BarsPage, TicksPage } from './common/contract.ts';
import { CoreClient } from './core-client.ts';
import type { BarsOptions, TicksOptions } from './rest/options.ts';
import { type CallOptions, getPositioned } from './rest/request.ts';
import { type FollowBarsOptions, type FollowedBar, followBars } from './stream/follow-bars.ts';
import { type FollowedTick, type FollowTicksOptions, followTicks } from './stream/follow-ticks.ts';
import { Live } from './stream/live.ts';
import type { LiveOptions } from './stream/live-stream.ts';

/**
 * Client of a Tickwire service. REST calls are methods; streams are opened with `live` or `stream`.
 * @example const client = new TickwireClient({ url: 'http://127.0.0.1:8080', apiKey: 'tw_…' });
 */
export class TickwireClient extends CoreClient {
  /** Streams to loop over. */
  readonly live: Live;

  /**
   * Creates a client. It opens no connection until a method is called. Throws a TypeError or RangeError that names an invalid
   * option.
   */
  constructor(options: ClientOptions) {
    super(options);
    this.live = new Live(this.configOf);
  }

  /**
   * History, then live bars, as one sequence without a gap or an overlap. A bar replaces an earlier one of the same time. After a
   * lost connection the stream resumes; if messages cannot be recovered, a gap is yielded, then the bars that changed meanwhile.
   * @example
   * for await (const bar of client.followBars('EURUSD', { timeframe: '1m', from: Date.now() - 3_600_000 }))
   *   if (bar.type !== 'gap') console.log(bar.type, bar.time, bar.close);
   */
  followBars(symbol: string, options?: FollowBarsOptions): AsyncGenerator<FollowedBar, void, undefined> {
    const path = `/api/bars/${encodeURIComponent(symbol)}`;
    const source = {
      page: (query: BarsOptions, call: CallOptions) => getPositioned<BarsPage>(this.rest, path, { ...query }, call),
      open: (live: LiveOptions<'bars'>) => this.live.bars(live),
    };
    return followBars(source, symbol, options);
  }

  /**
   * Recorded quotes, then live ticks, as one sequence without a gap or an overlap. After a lost connection the stream resumes; if
   * messages cannot be recovered, a gap is yielded.
   * @example
   * for await (const tick of client.followTicks('EURUSD', { from: Date.now() - 60_000 }))
   *   if (tick.type !== 'gap') console.log(tick.type, tick.time_ms, tick.bid, tick.ask);
   */
  followTicks(symbol: string, options?: FollowTicksOptions): AsyncGenerator<FollowedTick, void, undefined> {
    const path = `/api/ticks/${encodeURIComponent(symbol)}`;
    const source = {
      page: (query: TicksOptions, call: CallOptions) => getPositioned<TicksPage>(this.rest, path, { ...query }, call),
      open: (live: LiveOptions<'market'>) => this.live.ticks(live),
    };
    return followTicks(source, symbol, options);
  }
}
