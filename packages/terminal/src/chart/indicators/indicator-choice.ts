// The indicators of a chart as a person chose them: name and inputs, colours, hidden or not.
import type { IndicatorDescription, IndicatorText } from '@tickwire/client';
import type { StoredDocuments } from '../../services/stored-documents.ts';

/** Values of inputs by name. */
export type IndicatorInputs = Readonly<Record<string, number | string>>;

export interface IndicatorChoice {
  /** Unique within the chart, the same after a change of the inputs. */
  readonly id: string;
  /** Name in the catalogue: `rsi`. */
  readonly name: string;
  /** Name and inputs as requests have them: `rsi(14)`. */
  readonly indicator: IndicatorText;
  readonly inputs: IndicatorInputs;
  readonly lines: readonly string[];
  readonly pane: 'price' | 'own';
  /** Decides the colours of lines that have none. */
  readonly slot: number;
  /** By line, as `#rrggbb`. */
  readonly colors: Readonly<Record<string, string>>;
  readonly hidden: boolean;
}

/** A subscription takes this many. */
export const MAX_INDICATORS = 20;

const COLOR = /^#[0-9a-f]{6}$/i;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** The indicators in a stored document. Entries that are not valid are left out. */
export function readChoices(items: unknown): readonly IndicatorChoice[] {
  if (!Array.isArray(items)) return [];
  const choices = items.flatMap((item: unknown): readonly IndicatorChoice[] => {
    if (!isRecord(item)) return [];
    const { id, name, indicator, lines, pane, slot } = item;
    if (typeof id !== 'string' || typeof name !== 'string' || typeof indicator !== 'string') return [];
    if (!isTexts(lines) || lines.length === 0 || (pane !== 'price' && pane !== 'own')) return [];
    const inputs = Object.entries(isRecord(item.inputs) ? item.inputs : {}).filter(
      (entry): entry is [string, number | string] => typeof entry[1] === 'number' || typeof entry[1] === 'string',
    );
    const colors = Object.entries(isRecord(item.colors) ? item.colors : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && COLOR.test(entry[1]),
    );
    return [
      {
        ...{ id, name, lines, pane },
        indicator: indicator as IndicatorText,
        inputs: Object.fromEntries(inputs),
        slot: typeof slot === 'number' && Number.isInteger(slot) && slot >= 0 ? slot : 0,
        colors: Object.fromEntries(colors),
        hidden: item.hidden === true,
      },
    ];
  });
  return choices.filter(({ id }, at) => choices.findIndex((each) => each.id === id) === at).slice(0, MAX_INDICATORS);
}

const average = (length: number, slot: number): IndicatorChoice => ({
  id: `sma-${length}`,
  name: 'sma',
  indicator: `sma(${length})`,
  inputs: { length, source: 'close' },
  lines: ['value'],
  pane: 'price',
  slot,
  colors: {},
  hidden: false,
});

export const USUAL_INDICATORS: readonly IndicatorChoice[] = [average(20, 0), average(50, 1)];

/** One list for all charts and instruments, stored with the settings; `null` if nothing was stored. */
export async function readIndicators(documents: StoredDocuments): Promise<readonly IndicatorChoice[] | null> {
  const stored = await documents.read('settings', 'indicators');
  return stored && readChoices(stored.items);
}

export const writeIndicators = (documents: StoredDocuments, choices: readonly IndicatorChoice[]): Promise<void> =>
  documents.write('settings', 'indicators', { items: choices });

/** The text of an indicator, as the service writes it: all inputs in their order; the source is left out if it is the usual. */
export function indicatorText(entry: IndicatorDescription, inputs: IndicatorInputs): IndicatorText {
  const shown = entry.inputs.filter(({ name, default: usual }) => name !== 'source' || inputs[name] !== usual);
  return `${entry.name}(${shown.map(({ name, default: usual }) => inputs[name] ?? usual).join(',')})` as IndicatorText;
}

export function newChoice(entry: IndicatorDescription, others: readonly IndicatorChoice[]): IndicatorChoice {
  const inputs = Object.fromEntries(entry.inputs.map(({ name, default: usual }) => [name, usual]));
  const taken = new Set(others.map(({ slot }) => slot));
  let slot = 0;
  while (taken.has(slot)) slot++;
  const ids = new Set(others.map(({ id }) => id));
  let number = 1;
  while (ids.has(`${entry.name}-${number}`)) number++;
  return {
    id: `${entry.name}-${number}`,
    name: entry.name,
    indicator: indicatorText(entry, inputs),
    inputs,
    lines: entry.lines,
    pane: entry.pane,
    slot,
    colors: {},
    hidden: false,
  };
}

/** Titles that traders abbreviate otherwise than by capitals. */
const SHORT: Readonly<Record<string, string>> = {
  bollinger: 'Bollinger',
  keltner: 'Keltner',
  donchian: 'Donchian',
  supertrend: 'Supertrend',
  stochastic: 'Stochastic',
  ichimoku: 'Ichimoku',
  williams: 'Williams %R',
  stddev: 'Std dev',
  linreg: 'Regression',
  pivots: 'Pivots',
};

/** For the legend: `RSI 14`, `MACD 12 26 9`, `VWAP week`. */
export function shortTitle({ name, indicator }: Pick<IndicatorChoice, 'name' | 'indicator'>): string {
  const inputs = /\((.*)\)/.exec(indicator)?.[1] ?? '';
  return [SHORT[name] ?? name.toUpperCase(), ...inputs.split(',').filter((each) => each !== '')].join(' ');
}
