// From the rows of a file to labelled texts: which column is which, and what its labels mean.
import type { Label, LabelledText } from '@tickwire/sentiment';
import { ImportError } from '../../import/import-error.ts';

const TEXT_NAMES = ['text', 'title', 'headline', 'sentence', 'tweet', 'news'];
const LABEL_NAMES = ['label', 'sentiment', 'true_sentiment', 'class', 'polarity'];

const WORDS: Readonly<Record<string, Label>> = {
  positive: 'positive',
  bullish: 'positive',
  neutral: 'neutral',
  negative: 'negative',
  bearish: 'negative',
};

export interface RowOptions {
  /** Name of a column, or its number from 1 on. */
  readonly text?: string | undefined;
  readonly label?: string | undefined;
  /** What labels mean that are not words: 0=bearish. */
  readonly map: ReadonlyMap<string, Label>;
}

const plain = (text: string): string => text.trim().toLowerCase();

/** `0=bearish,1=bullish` as a table; null where it is not that. */
export function readMap(text: string): ReadonlyMap<string, Label> | null {
  const pairs = text.split(',').map((pair): [string, Label | undefined] => {
    const at = pair.lastIndexOf('=');
    return [plain(pair.slice(0, Math.max(at, 0))), at < 0 ? undefined : WORDS[plain(pair.slice(at + 1))]];
  });
  const right = pairs.every(([name, label]) => name !== '' && label !== undefined);
  return right ? new Map(pairs as [string, Label][]) : null;
}

export class LabelledRows {
  readonly #options: RowOptions;
  #columns: { readonly text: number; readonly label: number } | null = null;
  /** Labels that mean nothing, and how many rows have each. */
  readonly unknown = new Map<string, number>();

  constructor(options: RowOptions) {
    this.#options = options;
  }

  /** The labelled text of a row; null for a header, an empty row and an unknown label. */
  read(row: readonly string[]): LabelledText | null {
    if (row.every((field) => field.trim() === '')) return null;
    const first = this.#columns === null;
    this.#columns ??= this.#find(row);
    const [text = '', given = ''] = [row[this.#columns.text], row[this.#columns.label]];
    const label = this.#meaning(given);
    if (label !== undefined) return { text, label };
    // A first row without a label that means something is a header.
    if (!first) this.unknown.set(given.trim().slice(0, 40), (this.unknown.get(given.trim().slice(0, 40)) ?? 0) + 1);
    return null;
  }

  #meaning(given: string): Label | undefined {
    const name = plain(given);
    return this.#options.map.get(name) ?? (Object.hasOwn(WORDS, name) ? WORDS[name] : undefined);
  }

  #find(row: readonly string[]): { text: number; label: number } {
    const names = row.map(plain);
    const { text, label } = this.#options;
    // A file of two columns without a header may have the label first.
    const labelFirst = this.#meaning(row[0] ?? '') !== undefined;
    return {
      text: this.#column('text', text, names, TEXT_NAMES) ?? (labelFirst ? 1 : 0),
      label: this.#column('label', label, names, LABEL_NAMES) ?? (labelFirst ? 0 : 1),
    };
  }

  #column(what: string, given: string | undefined, names: readonly string[], usual: readonly string[]): number | null {
    const wanted = given === undefined ? usual : [plain(given)];
    const at = wanted.map((name) => names.indexOf(name)).find((index) => index >= 0);
    if (at !== undefined) return at;
    if (given === undefined) return null;
    const number = /^\d+$/.test(given) ? Number(given) : 0;
    if (number >= 1 && number <= names.length) return number - 1;
    const found = names.map((name) => JSON.stringify(name.slice(0, 30))).join(', ');
    throw new ImportError(
      'wrong_columns',
      `it has no ${what} column ${JSON.stringify(given)}; its first row: ${found}`,
    );
  }
}
