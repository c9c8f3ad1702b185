// State by instrument, for a list of instruments that may grow while the service runs. An added instrument gets its state when it
// is first looked up, so nobody has to be told of it.
import type { MarketSymbol } from './instrument.ts';

interface Known {
  readonly symbol: MarketSymbol;
}

export class PerInstrument<Value> {
  readonly #instruments: readonly Known[];
  readonly #create: (index: number) => Value;
  readonly #values = new Map<MarketSymbol, Value>();
  /** How many instruments of the list have got their state. */
  #created = 0;

  private constructor(instruments: readonly Known[], create: (index: number) => Value) {
    this.#instruments = instruments;
    this.#create = create;
    this.#grow();
  }

  /** The list may only grow. `index`: the place of an instrument in it. */
  static of<Spec extends Known, Value>(
    instruments: readonly Spec[],
    create: (spec: Spec, index: number) => Value,
  ): PerInstrument<Value> {
    return new PerInstrument(instruments, (index) => create(instruments[index]!, index));
  }

  /** `undefined` for a symbol that is not in the list. */
  get(symbol: MarketSymbol): Value | undefined {
    const known = this.#values.get(symbol);
    return known !== undefined || this.#created === this.#instruments.length ? known : this.#grow().get(symbol);
  }

  has(symbol: MarketSymbol): boolean {
    return this.get(symbol) !== undefined;
  }

  /** In the order of the list. */
  values(): Iterable<Value> {
    return this.#grow().values();
  }

  [Symbol.iterator](): Iterator<readonly [MarketSymbol, Value]> {
    return this.#grow().entries();
  }

  #grow(): ReadonlyMap<MarketSymbol, Value> {
    while (this.#created < this.#instruments.length) {
      const index = this.#created++;
      this.#values.set(this.#instruments[index]!.symbol, this.#create(index));
    }
    return this.#values;
  }
}

/** The instruments of a list that may grow, by symbol. */
export const bySymbol = <Spec extends Known>(instruments: readonly Spec[]): PerInstrument<Spec> =>
  PerInstrument.of(instruments, (spec) => spec);

/** Finds an instrument by its symbol. */
export type Lookup<Spec> = Pick<PerInstrument<Spec>, 'get'>;
