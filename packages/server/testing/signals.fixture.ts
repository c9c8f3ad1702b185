// Signal events for tests.
import type { ChangedSignal, ClosedSignal, SignalMessage } from '@tickwire/contract';
import { asSymbol } from '@tickwire/engine';
import type { SignalChangedEvent, SignalClosedEvent, SignalEvent, SignalFilledEvent } from '../src/journal/journal.ts';

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
  return { kind: 'signal_closed', n: ++records, symbol, publisher, signal };
}

export function filledEvent({ symbol, publisher, signal }: SignalEvent): SignalFilledEvent {
  const { timestamp, ...published } = signal;
  const filled = { state: 'open', filled_at: timestamp, entry_price: 1.084 } as const;
  return {
    kind: 'signal_filled',
    n: ++records,
    symbol,
    publisher,
    signal: { ...published, status: 'active', timestamp, ...filled },
  };
}

export function changedEvent({ symbol, publisher, signal: { id, user, timestamp } }: SignalEvent): SignalChangedEvent {
  const signal: ChangedSignal = { id, user, symbol, change: 'amended', stop_loss: 1.082, timestamp };
  return { kind: 'signal_changed', n: ++records, symbol, publisher, signal };
}
