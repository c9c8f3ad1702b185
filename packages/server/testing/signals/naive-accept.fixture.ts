// "Publishing" in docs/signals.md, written naively: the rules except trading hours and age, the order type and the
// deadlines. Prices are in ticks.
import { DAY_MS } from '@tickwire/engine';
import { livesNaively, type NaiveMarket } from './naive-market.fixture.ts';

export interface NaiveTerms {
  readonly direction: 'buy' | 'sell';
  readonly entry: number;
  readonly stop: number;
  readonly target: number;
}

/** Number of the rule that rejects the signal. */
export interface NaiveRefusal {
  readonly refused: 1 | 2 | 3 | 4 | 5;
}

export function acceptNaively(
  { direction, entry, stop, target }: NaiveTerms,
  market: NaiveMarket,
): NaiveRefusal | 'market' | 'limit' | 'stop' {
  if (!livesNaively(market)) return { refused: 1 };
  const { bid, ask } = market;
  const buy = direction === 'buy';
  const entrySide = buy ? ask : bid;
  const exitSide = buy ? bid : ask;
  const spread = ask - bid;

  if (buy && !(stop < entry && entry < target)) return { refused: 2 };
  if (!buy && !(target < entry && entry < stop)) return { refused: 2 };

  const off = Math.abs(entry - entrySide);
  if (off * 100 > entrySide * 20) return { refused: 3 };

  for (const level of [stop, target]) {
    const distance = Math.abs(level - entry);
    if (distance < spread || distance < 1) return { refused: 4 };
    if (distance * 100 > entry * 50) return { refused: 4 };
  }

  const tenThousandth = (entrySide - (entrySide % 10_000)) / 10_000;
  const tolerance = spread > tenThousandth ? spread : tenThousandth;
  if (off > tolerance) {
    if (buy) return entry < entrySide ? 'limit' : 'stop';
    return entry > entrySide ? 'limit' : 'stop';
  }
  if (buy && !(stop < exitSide && exitSide < target)) return { refused: 5 };
  if (!buy && !(target < exitSide && exitSide < stop)) return { refused: 5 };
  return 'market';
}

export interface NaiveDeadlines {
  readonly pending: number;
  readonly filled: number;
}

export const naiveDeadlines = (publishedAt: number, expiresAt: number | undefined): NaiveDeadlines => ({
  pending: expiresAt ?? publishedAt + DAY_MS,
  filled: expiresAt ?? publishedAt + 30 * DAY_MS,
});
