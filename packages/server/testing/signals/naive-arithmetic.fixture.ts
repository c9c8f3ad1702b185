// The arithmetic of docs/signals.md a second time, on decimal text and integers of any length: slow and plain, sharing
// no code with the service.

interface Decimal {
  /** The value times 10^places. */
  readonly digits: bigint;
  readonly places: number;
}

/** The decimal number of a price: the shortest one that parses to the same double. */
function decimalOf(value: number): Decimal {
  const [mantissa, exponent = '0'] = String(value).split('e');
  const [whole, fraction = ''] = mantissa!.split('.');
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole! + fraction);
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 };
}

/** A price in ticks; throws if it has more decimals than the instrument. */
export function naiveTicks(price: number, digits: number): number {
  const decimal = decimalOf(price);
  const scale = digits - decimal.places;
  if (scale < 0) throw new RangeError(`${price} has more than ${digits} decimals`);
  return Number(decimal.digits * 10n ** BigInt(scale));
}

export const naivePrice = (ticks: number, digits: number): number => Number(`${ticks}e-${digits}`);

/** The quotient rounded to 4 decimals, halves away from zero. */
function rounded(dividend: bigint, divisor: bigint): number {
  const negative = dividend < 0n !== divisor < 0n;
  const [n, d] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  let whole = (n * 10_000n) / d;
  if (((n * 10_000n) % d) * 2n >= d) whole += 1n;
  if (whole === 0n) return 0;
  return Number(`${negative ? '-' : ''}${whole}e-4`);
}

export interface NaiveProfit {
  readonly pnl: number;
  readonly pnl_percent: number;
  readonly pnl_r: number;
}

/** All prices are in ticks. */
export function naiveProfit(
  instrument: { readonly digits: number; readonly pipSize: number },
  direction: 'buy' | 'sell',
  prices: { readonly entry: number; readonly entryPrice: number; readonly stop: number; readonly exit: number },
): NaiveProfit {
  const { entry, entryPrice, stop, exit } = prices;
  let base: number;
  let gain: number;
  if (direction === 'buy') {
    base = entryPrice > entry ? entryPrice : entry;
    gain = exit - base;
  } else {
    base = entryPrice < entry ? entryPrice : entry;
    gain = base - exit;
  }
  const risk = base > stop ? base - stop : stop - base;
  const pip = decimalOf(instrument.pipSize);
  return {
    pnl: rounded(BigInt(gain) * 10n ** BigInt(pip.places), pip.digits * 10n ** BigInt(instrument.digits)),
    pnl_percent: rounded(BigInt(gain) * 100n, BigInt(base)),
    pnl_r: rounded(BigInt(gain), BigInt(risk)),
  };
}
