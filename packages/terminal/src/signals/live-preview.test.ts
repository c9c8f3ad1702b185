import { expect, test } from 'bun:test';
import type { Instrument } from '@tickwire/client';
import { QuoteBoard } from '../services/quote-board.ts';
import { LivePreview } from './live-preview.ts';

const EURUSD = { symbol: 'EURUSD', type: 'forex', pip_size: 0.0001 } as Instrument;

/** A buy at a price, and the order that the market makes of it. */
function orderAt(entry: number) {
  const quotes = new QuoteBoard([EURUSD], (run) => run());
  const preview = new LivePreview(quotes);
  const ticket = { direction: 'buy', entry, stop: 1.07, targets: [{ price: 1.11, fraction: 1 }] } as const;
  return {
    preview,
    after: (bid: number) => {
      quotes.quote({ symbol: 'EURUSD', bid, ask: bid + 0.0001, spread: 0.0001 });
      preview.update('EURUSD', ticket);
      return preview.order.value;
    },
  };
}

test('the order of a price changes with the market, and its texts with it', () => {
  const { preview, after } = orderAt(1.085);
  expect(preview.order.value).toBeNull();
  expect(after(1.08)).toBe('stop');
  expect(preview.texts[1]!.value).toStartWith('stop order');
  expect(after(1.0849)).toBe('market');
  expect(after(1.09)).toBe('limit');
  expect(preview.texts[1]!.value).toStartWith('limit order');
  expect(preview.problems.value).toBe('');
});

test('follows the quotes of its symbol until it ends', async () => {
  const quotes = new QuoteBoard([EURUSD, { ...EURUSD, symbol: 'GBPUSD' }], queueMicrotask);
  const quote = async (symbol: string, bid: number): Promise<void> => {
    quotes.quote({ symbol, bid, ask: bid + 0.0001, spread: 0.0001 });
    await Promise.resolve();
  };
  const end = new AbortController();
  let updates = 0;
  new LivePreview(quotes).follow(
    () => 'EURUSD',
    () => updates++,
    end.signal,
  );
  await quote('GBPUSD', 1.3);
  expect(updates).toBe(0);
  await quote('EURUSD', 1.08);
  expect(updates).toBe(1);
  end.abort();
  await quote('EURUSD', 1.09);
  expect(updates).toBe(1);
});
