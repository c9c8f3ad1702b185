// The chosen indicators of the chart, stored in this browser for all instruments.

export interface ChartChoices {
  /** Lengths of the visible moving averages, in bars. */
  readonly averages: readonly number[];
  /** Delta and cumulative delta. */
  readonly flow: boolean;
}

const NAME = 'tickwire.chart';
const DEFAULT: ChartChoices = { averages: [20, 50], flow: true };

type ChoiceStorage = Pick<Storage, 'getItem' | 'setItem'>;

export function readChoices(storage: ChoiceStorage): ChartChoices {
  try {
    const stored = JSON.parse(storage.getItem(NAME) ?? '{}') as Partial<ChartChoices>;
    return {
      averages: Array.isArray(stored.averages) ? stored.averages : DEFAULT.averages,
      flow: typeof stored.flow === 'boolean' ? stored.flow : DEFAULT.flow,
    };
  } catch {
    // Written by another version.
    return DEFAULT;
  }
}

export function storeChoices(storage: ChoiceStorage, choices: ChartChoices): void {
  try {
    storage.setItem(NAME, JSON.stringify(choices));
  } catch {
    // The storage is full or blocked: the choice lasts until the page is closed.
  }
}
