// The size of a position that loses a given share of an account at its stop.
import { z } from 'zod';
import { decimalQuery, InstrumentCode, namedObject, nullable, number, SymbolCode, text } from '../common/values.ts';

const RISK = 'Part of the balance that the stop may cost, in percent';

export const PositionSizeQuery = z.object({
  symbol: InstrumentCode,
  entry: decimalQuery('Entry price'),
  stop_loss: decimalQuery('Stop loss price'),
  balance: decimalQuery('Balance of the account, in its currency'),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3,5}$/)
    .default('USD')
    .meta({ description: 'Currency of the account', allowed: 'a currency code of 3 to 5 letters' }),
  risk_percent: decimalQuery(RISK, 100)
    .default(1)
    .meta({ description: RISK, allowed: 'a number above 0 and at most 100' }),
});
export type PositionSizeQuery = z.infer<typeof PositionSizeQuery>;

export const PositionSize = namedObject('PositionSize', 'Lots for a given risk', () => ({
  symbol: SymbolCode,
  lots: number('Lots, rounded down to a multiple of `min_lot`; 0 if that risks too much'),
  units: number('Units of the base: lots × contract_size'),
  risk: number('Loss at the stop, in the currency of the account'),
  risk_percent: number('The same in percent of the balance'),
  loss_per_lot: number('Loss of one lot at the stop, in the currency of the account'),
  currency: text('Currency of the account'),
  rate: number('Units of the account currency for one unit of the currency of the instrument'),
  limited_by: nullable(z.enum(['min_lot', 'max_lot']), 'Limit that decided the size; `null` if the risk did'),
}));
export type PositionSize = z.infer<typeof PositionSize>;
