// Answers how large a position may be for a given risk, from the contract terms of the instrument and the current quotes.
import type { PositionSize, PositionSizeQuery } from '@tickwire/contract';
import {
  bySymbol,
  CurrencyConverter,
  fitsDigits,
  type InstrumentSpec,
  type Lookup,
  type MarketSymbol,
  positionSize,
  priceCurrency,
} from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import type { MarketView } from './market-view.ts';

export class PositionSizes {
  readonly #specs: Lookup<InstrumentSpec>;
  readonly #converter: CurrencyConverter;

  constructor(instruments: readonly InstrumentSpec[], market: MarketView) {
    this.#specs = bySymbol(instruments);
    this.#converter = new CurrencyConverter(instruments, (symbol) => {
      const tick = market.tick(symbol);
      return tick && (tick.bid + tick.ask) / 2;
    });
  }

  of(symbol: MarketSymbol, query: PositionSizeQuery): PositionSize {
    const spec = this.#specs.get(symbol)!;
    const { entry, stop_loss: stopLoss, balance, risk_percent: riskPercent } = query;
    for (const [name, price] of Object.entries({ entry, stop_loss: stopLoss })) {
      if (!fitsDigits(price, spec.digits)) {
        const detail = `${name} is ${price}: prices of ${symbol} have ${spec.digits} decimals.`;
        throw new ServiceError('finer_than_digits', detail);
      }
    }
    if (entry === stopLoss) throw new ServiceError('levels_out_of_order', 'stop_loss must differ from entry.');
    const currency = query.currency.toUpperCase();
    const priced = priceCurrency(spec);
    const rate = priced === null ? null : this.#converter.rate(priced, currency);
    if (priced === null)
      throw new ServiceError(
        'no_conversion',
        `The currency of ${symbol} is not known, so the risk cannot be converted.`,
      );
    if (rate === null) throw new ServiceError('no_conversion', `No current quotes connect ${priced} with ${currency}.`);
    const size = positionSize(spec, { entry, stopLoss, balance, riskPercent, rate });
    return {
      symbol,
      lots: size.lots,
      units: size.units,
      risk: size.risk,
      risk_percent: size.riskPercent,
      loss_per_lot: size.lossPerLot,
      currency,
      rate: Number(rate.toPrecision(10)),
      limited_by: size.limitedBy,
    };
  }
}
