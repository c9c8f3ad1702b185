// A sink that only writes down.
import type { QuoteEvent, TradeEvent } from '@tickwire/engine';
import type { SourceSink } from '../source.ts';

export class Listener implements SourceSink {
  readonly trades: TradeEvent[] = [];
  readonly quotes: QuoteEvent[] = [];
  readonly complaints: string[] = [];
  signsOfLife = 0;

  events(events: readonly (QuoteEvent | TradeEvent)[]): void {
    for (const event of events) {
      if (event.kind === 'trade') this.trades.push(event);
      else this.quotes.push(event);
    }
  }

  alive(): void {
    this.signsOfLife++;
  }

  complain(what: string): void {
    this.complaints.push(what);
  }
}
