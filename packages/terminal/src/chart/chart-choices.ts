// What is drawn beside the candles: kept in this browser, for all instruments.

export interface ChartChoices {
  /** Lengths of the moving averages that are shown. */
  readonly averages: readonly number[];
  readonly flow: boolean;
}

const NAME = 'tickwire.chart';
const DEFAULT: ChartChoices = { averages: [20, 50], flow: true };

type Shelf = Pick<Storage, 'getItem' | 'setItem'>;

export function readChoices(shelf: Shelf): ChartChoices {
  try {
    const kept = JSON.parse(shelf.getItem(NAME) ?? '{}') as Partial<ChartChoices>;
    return {
      averages: Array.isArray(kept.averages) ? kept.averages : DEFAULT.averages,
      flow: typeof kept.flow === 'boolean' ? kept.flow : DEFAULT.flow,
    };
  } catch {
    // Not written by this version: start over.
    return DEFAULT;
  }
}

export function keepChoices(shelf: Shelf, choices: ChartChoices): void {
  try {
    shelf.setItem(NAME, JSON.stringify(choices));
  } catch {
    // A full or forbidden shelf: the choice holds until the page is left.
  }
}
