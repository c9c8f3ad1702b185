// Checks that the prices of files can be those of the instrument: fixed-point numbers read as prices, or another instrument,
// are far off. Known instruments are compared with the base prices of the simulation.
import type { InstrumentSpec } from '@tickwire/engine';
import { compositionOf } from '../market/feeds/sim/composition.ts';
import { ImportError } from './import-error.ts';
import type { ImportReport } from './import-report.ts';

/** No instrument of the tables was ever as many times above its base price. */
const MAX_ABOVE = 20;
/** Indices rose that much in 75 years. Coins began near 0. */
const MAX_BELOW = 1_000;
const MAX_BELOW_COIN = 1e8;
/** No price with cents is higher, in any currency. */
const MAX_PRICE = 1e8;

/** Throws if all prices are too high, or all are too low. */
export function requirePlausiblePrices(
  { lowest, highest }: Pick<ImportReport, 'lowest' | 'highest'>,
  instrument: InstrumentSpec,
  pointDigits: number | undefined,
): void {
  const { base, own } = compositionOf(instrument);
  const { symbol, type, digits } = instrument;
  const isKnown = own === null;
  const usual = isKnown ? ` (about ${Number(base.toPrecision(3))})` : '';
  const tooLow = base / (type === 'crypto' ? MAX_BELOW_COIN : MAX_BELOW);
  if (isKnown && highest < tooLow)
    throw wrong(highest, symbol, usual, pointDigits === undefined ? 'check --symbol' : 'check --points and --symbol');
  if (!(lowest > (isKnown ? base * MAX_ABOVE : digits >= 2 ? MAX_PRICE : Number.POSITIVE_INFINITY))) return;
  // Databento has 9 digits whatever the price, others those of the instrument.
  const points = lowest >= MAX_PRICE ? 9 : Math.round(Math.log10(lowest / base));
  const isFixedPoint = pointDigits === undefined && Number.isInteger(lowest) && Number.isInteger(highest);
  throw wrong(
    lowest,
    symbol,
    usual,
    isFixedPoint ? `if they are integers in units of 10^-${points}, use --points ${points}` : 'check --symbol',
  );
}

const wrong = (price: number, symbol: string, usual: string, advice: string): ImportError =>
  new ImportError(
    'implausible_prices',
    `its prices, such as ${price}, cannot be those of ${symbol}${usual}: ${advice}`,
  );
