// Converts the rows of a file to labelled texts: finds the columns and interprets the labels.
import { NEWS_CATEGORIES } from '@tickwire/contract';
import type { Label, LabelledText } from '@tickwire/sentiment';
import { ImportError } from '../../import/import-error.ts';

const TEXT_NAMES = ['text', 'title', 'headline', 'sentence', 'tweet', 'news'];
const LABEL_NAMES = ['label', 'sentiment', 'true_sentiment', 'class', 'polarity'];

const LABEL_WORDS: Readonly<Record<string, Label>> = {
  positive: 'positive',
  bullish: 'positive',
  neutral: 'neutral',
  negative: 'negative',
  bearish: 'negative',
};

export interface LabelledRowOptions {
  /** Name of a column, or its number starting at 1. */
  readonly text?: string | undefined;
  readonly label?: string | undefined;
  /** Meaning of labels that are not words, such as 0=bearish. */
  readonly map: ReadonlyMap<string, Label>;
}

const normalize = (text: string): string => text.trim().toLowerCase();

/** Parses `0=bearish,1=bullish`; `null` if it is invalid. */
export function parseLabelMap(text: string): ReadonlyMap<string, Label> | null {
  const pairs = text.split(',').map((pair): [string, Label | undefined] => {
    const at = pair.lastIndexOf('=');
    return [normalize(pair.slice(0, Math.max(at, 0))), at < 0 ? undefined : LABEL_WORDS[normalize(pair.slice(at + 1))]];
  });
  const valid = pairs.every(([name, label]) => name !== '' && label !== undefined);
  return valid ? new Map(pairs as [string, Label][]) : null;
}

export class LabelledRows {
  readonly #options: LabelledRowOptions;
  #columns: { readonly text: number; readonly label: number; readonly category: number } | null = null;
  /** Unknown labels and their number of rows. */
  readonly unknown = new Map<string, number>();

  constructor(options: LabelledRowOptions) {
    this.#options = options;
  }

  /** `null` for a header, an empty row or an unknown label. */
  read(row: readonly string[]): LabelledText | null {
    if (row.every((field) => field.trim() === '')) return null;
    const first = this.#columns === null;
    this.#columns ??= this.#find(row);
    const [text = '', given = ''] = [row[this.#columns.text], row[this.#columns.label]];
    const label = this.#meaning(given);
    if (label !== undefined) return { text, label, category: this.#category(row) };
    // A first row without a known label is a header.
    if (!first) this.unknown.set(given.trim().slice(0, 40), (this.unknown.get(given.trim().slice(0, 40)) ?? 0) + 1);
    return null;
  }

  #meaning(given: string): Label | undefined {
    const name = normalize(given);
    return this.#options.map.get(name) ?? (Object.hasOwn(LABEL_WORDS, name) ? LABEL_WORDS[name] : undefined);
  }

  /** Of a column named `category`, if it is one that the service has. */
  #category(row: readonly string[]): string | undefined {
    const given = normalize(row[this.#columns!.category] ?? '');
    return NEWS_CATEGORIES.find((category) => category === given);
  }

  #find(row: readonly string[]): { text: number; label: number; category: number } {
    const names = row.map(normalize);
    const { text, label } = this.#options;
    // In a file of two columns without a header, the label may come first.
    const labelFirst = this.#meaning(row[0] ?? '') !== undefined;
    return {
      text: this.#column('text', text, names, TEXT_NAMES) ?? (labelFirst ? 1 : 0),
      label: this.#column('label', label, names, LABEL_NAMES) ?? (labelFirst ? 0 : 1),
      category: names.indexOf('category'),
    };
  }

  #column(
    what: string,
    given: string | undefined,
    names: readonly string[],
    defaults: readonly string[],
  ): number | null {
    const wanted = given === undefined ? defaults : [normalize(given)];
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
