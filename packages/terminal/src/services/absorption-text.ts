// Absorption in words, for the chart and the order flow beside it.
import { price } from '../ui/format.ts';

export interface AbsorptionAt {
  /** The passive side that held the price. */
  readonly side: 'buy' | 'sell';
  readonly price: number;
}

/** What happened, in a sentence. The side that pressed is the opposite of the one that held. */
export function absorptionText({ side, price: at }: AbsorptionAt, digits: number): string {
  return side === 'sell'
    ? `Buyers were absorbed: many bought at ${price(at, digits)}, the price did not rise`
    : `Sellers were absorbed: many sold at ${price(at, digits)}, the price did not fall`;
}
