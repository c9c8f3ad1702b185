// Signal events for tests.
import type { ClosedSignal, SignalMessage } from '@tickwire/contract';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import type { SignalClosedEvent, SignalEvent } from '../src/journal/journal.ts';

let records = 0;

/** Record numbers rise in the order the events are made. */
export function signalEvent(id: string, symbol = 'EURUSD', changes: Partial<SignalMessage> = {}): SignalEvent {
  const signal: SignalMessage = {
    id,
    user: 'north-desk',
    symbol,
    direction: 'buy',
    entry: 1.084,
    stop_loss: 1.081,
    take_profit: 1.09,
    timestamp: '2026-03-02T10:58:41.007Z',
    ...changes,
  };
  return { kind: 'signal', n: ++records, symbol: asSymbol(symbol), publisher: 'pub_0001', signal };
}

export function closedEvent({
  symbol,
  publisher,
  signal: { timestamp, ...published },
}: SignalEvent): SignalClosedEvent {
  const signal: ClosedSignal = {
    ...published,
    status: 'closed',
    timestamp,
    pnl: 60,
    pnl_percent: 0.5535,
    pnl_r: 2,
    entry_price: 1.084,
    exit_price: 1.09,
    closed_at: '2026-03-02T11:24:07.318Z',
    close_reason: 'take_profit',
  };
  const filledAt = asEpochMs(Date.parse(timestamp));
  return { kind: 'signal_closed', n: ++records, symbol, publisher, filledAt, signal };
}
