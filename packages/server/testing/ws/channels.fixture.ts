// The channels of all domains, as the modules open them.
import type { InstrumentSpec } from '@tickwire/engine';
import type { RowAllowance } from '../../src/access/row-allowance.ts';
import { ALERT_CHANNEL } from '../../src/alerts/streams/alert-channel.ts';
import type { LiveIndicators } from '../../src/history/live-indicators.ts';
import { BarChannel } from '../../src/history/streams/bar-channel.ts';
import { FootprintChannel } from '../../src/history/streams/footprint-channel.ts';
import { ReadWork } from '../../src/http/read-work.ts';
import type { Journal } from '../../src/journal/journal.ts';
import type { MarketView } from '../../src/market/market-view.ts';
import { FlowChannel } from '../../src/market/streams/flow-channel.ts';
import { TickChannel } from '../../src/market/streams/tick-channel.ts';
import { NEWS_CHANNEL } from '../../src/news/streams/news-channel.ts';
import { SignalChannel, type SignalChannelOptions } from '../../src/signals/streams/signal-channel.ts';
import type { GatewayChannel } from '../../src/ws/channel.ts';

export interface ChannelSources {
  readonly instruments: readonly InstrumentSpec[];
  readonly journal: Journal;
  readonly market: MarketView;
  readonly signals: SignalChannelOptions['signals'];
  readonly indicators: LiveIndicators;
  /** Rows of history per day and account. */
  readonly rows: RowAllowance;
  /** Number of ticks, and of order-flow messages, that are kept for clients that resume. */
  readonly capacity: number;
  readonly simulated: boolean;
  readonly now: () => number;
}

export function openChannels(sources: ChannelSources): readonly GatewayChannel[] {
  const { market, signals } = sources;
  const ticks = new TickChannel(sources);
  const flows = new FlowChannel(sources);
  const reads = new ReadWork();
  const bars = new BarChannel({ ...sources, reads, ticks, flows });
  const footprints = new FootprintChannel({ ...sources, reads, flows, bars });
  const instruments = market.symbols.map((symbol) => ({ symbol }));
  // Each event is read in this order.
  return [
    ticks,
    flows,
    footprints,
    bars,
    new SignalChannel({ instruments, signals, market }),
    NEWS_CHANNEL,
    ALERT_CHANNEL,
  ];
}
