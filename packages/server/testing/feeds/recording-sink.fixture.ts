// A sink that records everything.
import type { MarketSymbol, PriceEvent, QuoteEvent, TradeEvent } from '@tickwire/engine';
import type { ConnectorSink, Refusal } from '../../src/market/feeds/connector.ts';

export class RecordingSink implements ConnectorSink {
  readonly trades: TradeEvent[] = [];
  readonly quotes: QuoteEvent[] = [];
  readonly complaints: string[] = [];
  readonly refusals: (readonly [string, Refusal])[] = [];
  signsOfLife = 0;

  events(events: readonly PriceEvent[]): void {
    for (const event of events) {
      if (event.kind === 'trade') this.trades.push(event);
      else this.quotes.push(event);
    }
  }

  alive(): void {
    this.signsOfLife++;
  }

  complain(complaint: string): void {
    this.complaints.push(complaint);
  }

  refused(symbol: MarketSymbol, why: Refusal): void {
    this.refusals.push([symbol, why]);
  }
}
