// The public signal feed as the endpoint shows it: newest first, filtered by status and symbol.
import type { Signal, SignalQuery } from '@tickwire/contract';
import type { Batch } from '../journal/journal.ts';

export class SignalFeed {
  /** Newest last. */
  readonly #signals = new Map<string, Signal>();
  #active = 0;

  get active(): number {
    return this.#active;
  }

  readonly read = ({ events }: Batch): void => {
    for (const event of events) {
      if (event.kind === 'signal') {
        this.#signals.set(event.signal.id, withStatus(event.signal));
        this.#active++;
      } else if (event.kind === 'signal_closed') {
        if (this.#signals.get(event.signal.id)?.status === 'active') this.#active--;
        this.#signals.set(event.signal.id, event.signal);
      }
    }
  };

  list({ status, symbol, limit }: SignalQuery): Signal[] {
    const wanted = symbol?.toUpperCase();
    return [...this.#signals.values()]
      .reverse()
      .filter(
        (signal) =>
          (status === 'all' || signal.status === status) && (wanted === undefined || signal.symbol === wanted),
      )
      .slice(0, limit);
  }
}

/** The documented order of fields: status before timestamp. */
function withStatus({ timestamp, ...published }: Omit<Extract<Signal, { status: 'active' }>, 'status'>): Signal {
  return { ...published, status: 'active', timestamp };
}
