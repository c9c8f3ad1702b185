// Profit and loss of a signal that exits in parts, by docs/signals.md: exact in whole ticks and 1e-4 of the position.
import { PLACES, type Result, ratio, scaled, size, ticksOf } from '../signals/evidence/arithmetic.ts';

const WHOLE = 10_000n;
/** For ranking, the risk is at least this many spreads of the accepted quote (CR2). */
const MIN_RISK_SPREADS = 10n;

export interface ExitPart {
  /** Of the position, from 0 to 1. */
  readonly fraction: number;
  readonly price: number;
}

export interface ExitedTrade {
  readonly rules: number;
  readonly direction: 'buy' | 'sell';
  readonly entry: number;
  readonly entryPrice: number;
  readonly stopLoss: number;
  readonly exits: readonly ExitPart[];
  readonly digits: number;
  readonly pipSize: number;
  /** Of the accepted quote, in price units. */
  readonly spread: number;
}

export interface ExitedResult extends Result {
  readonly exit_price: number;
  /** R for ranking. */
  readonly rank_r: number;
}

const partOf = ({ fraction }: ExitPart): bigint => BigInt(Math.round(fraction * Number(WHOLE)));

/** `null` if it cannot be computed: a price, the risk or the pip size is 0, or the parts are not the whole position. */
export function exitedResult(trade: ExitedTrade): ExitedResult | null {
  const { rules, direction, digits, pipSize, exits } = trade;
  const ticks = (price: number): bigint => ticksOf(price, digits);
  const [entry, filled] = [ticks(trade.entry), ticks(trade.entryPrice)];
  const buy = direction === 'buy';
  const base = buy === entry > filled ? entry : filled;
  const sum = exits.reduce((total, exit) => total + partOf(exit) * ticks(exit.price), 0n);
  const whole = exits.reduce((total, exit) => total + partOf(exit), 0n);
  const gain = buy ? sum - base * WHOLE : base * WHOLE - sum;
  const risk = size((rules === 1 ? base : entry) - ticks(trade.stopLoss));
  const pip = scaled(pipSize, PLACES);
  if (whole !== WHOLE || pip === 0n || risk === 0n || base === 0n) return null;
  const least = MIN_RISK_SPREADS * ticks(trade.spread);
  return {
    pnl: ratio(gain * 10n ** BigInt(PLACES - digits), pip * WHOLE),
    pnl_percent: ratio(100n * gain, base * WHOLE),
    pnl_r: ratio(gain, risk * WHOLE),
    rank_r: ratio(gain, (risk > least ? risk : least) * WHOLE),
    exit_price: decimal(sum, digits + 4),
  };
}

/** units × 10^−places, as the nearest double. */
function decimal(units: bigint, places: number): number {
  const text = units.toString().padStart(places + 1, '0');
  return Number(`${text.slice(0, -places)}.${text.slice(-places)}`);
}
