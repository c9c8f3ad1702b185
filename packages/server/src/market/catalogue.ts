// The instruments that a node shows. The list grows while the service runs, when an operator adds an instrument from the list of a
// venue; nothing is ever removed. Whoever holds the list sees what is added (PerInstrument).
import type { InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import type { Batch } from '../journal/journal.ts';
import type { AddedInstrument, MarketStore } from '../store/store.ts';
import { type InstrumentSettings, loadInstruments, offeredInstruments, venueSymbols } from './instruments.ts';

type CatalogueStore = Pick<MarketStore, 'addedInstruments' | 'lastPrices' | 'number'>;

export class Catalogue {
  readonly instruments: readonly InstrumentSpec[];
  /** Instruments that a configured venue delivers, as opposed to those that are only pushed or imported. */
  readonly venueSymbols: ReadonlySet<MarketSymbol>;
  /** Those that were added from the lists of venues. */
  readonly added: readonly AddedInstrument[];
  readonly #list: InstrumentSpec[];
  readonly #venueSymbols: Set<MarketSymbol>;
  readonly #added: AddedInstrument[];
  readonly #settings: InstrumentSettings;
  readonly #store: CatalogueStore;

  private constructor(
    settings: InstrumentSettings,
    store: CatalogueStore,
    added: readonly AddedInstrument[],
    list: readonly InstrumentSpec[],
  ) {
    this.#settings = settings;
    this.#store = store;
    this.instruments = this.#list = [...list];
    this.venueSymbols = this.#venueSymbols = new Set(venueSymbols({ ...settings, added }, list));
    this.added = this.#added = [...added];
  }

  /** The instruments of the settings and of the store. */
  static async open(settings: InstrumentSettings, store: CatalogueStore): Promise<Catalogue> {
    const added = await store.addedInstruments();
    return new Catalogue(settings, store, added, await offeredInstruments({ ...settings, added }, store));
  }

  has(symbol: MarketSymbol): boolean {
    return this.#list.some((spec) => spec.symbol === symbol);
  }

  /** An instrument as it will be once it is added. */
  specOf(added: AddedInstrument): InstrumentSpec {
    const known = loadInstruments({ ...this.#settings, added: [...this.#added, added] });
    return known.find(({ symbol }) => symbol === added.symbol)!;
  }

  /** Reads what others have added, after events of the journal were missed. */
  async load(): Promise<void> {
    for (const added of await this.#store.addedInstruments())
      if (!this.#added.some(({ symbol }) => symbol === added.symbol)) this.#add(added, this.specOf(added));
  }

  readonly read = ({ events }: Batch): void => {
    for (const event of events)
      if (event.kind === 'instrument' && !this.has(event.spec.symbol)) this.#add(event.added, event.spec);
  };

  #add(added: AddedInstrument, spec: InstrumentSpec): void {
    this.#added.push(added);
    this.#venueSymbols.add(spec.symbol);
    this.#list.push(spec);
  }
}
