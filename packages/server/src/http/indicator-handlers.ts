// `GET /api/indicators` and `GET /api/indicators/{symbol}`.
import {
  INDICATOR_CATALOGUE,
  type IndicatorEntry,
  IndicatorFault,
  type IndicatorItem,
  type IndicatorPage,
  type IndicatorResult,
  type IndicatorSet,
  type IndicatorSpec,
  type IndicatorsQuery,
  indicatorList,
  indicatorOf,
  parseIndicator,
  wireInputs,
} from '@tickwire/contract';
import { definitionOf, type MarketSymbol } from '@tickwire/engine';
import { parseChart } from '../history/chart-reader.ts';
import { type IndicatorColumn, type IndicatorTable, readIndicators } from '../history/indicator-reader.ts';
import type { BarSources } from '../history/recorded-history.ts';
import { invalidIndicator } from '../history/warm-up.ts';
import { barPageOf, nextCursor } from './chart-history.ts';
import { staticResponse, type TaggedResponse } from './conditional-response.ts';

const INPUT_NAMES: ReadonlySet<string> = new Set(
  (INDICATOR_CATALOGUE as readonly IndicatorEntry[]).flatMap(({ inputs }) => inputs.map(({ name }) => name)),
);

export const indicatorCatalogue = (): TaggedResponse => staticResponse(JSON.stringify(indicatorList()));

export async function indicatorValues(
  sources: BarSources,
  symbol: MarketSymbol,
  query: IndicatorsQuery,
): Promise<IndicatorPage | IndicatorSet> {
  const specs = specsOf(query);
  const chart = parseChart(query);
  const page = barPageOf(query);
  const table = await readIndicators(sources, chart, specs, { symbol, ...page, limit: query.limit });
  const { interval, align } = query;
  const results = table.columns.map((column) => resultOf(column, table));
  const next = table.hasMore ? nextCursor(chart, page, table.bars) : null;
  return query.name === undefined
    ? { symbol, interval, align, indicators: results, next }
    : { symbol, interval, align, ...results[0]!, next };
}

function specsOf(query: IndicatorsQuery): IndicatorSpec[] {
  const { name, indicators } = query;
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => INPUT_NAMES.has(entry[0]) && typeof entry[1] === 'string',
  );
  if ((name === undefined) === (indicators === undefined)) {
    const allowed = 'given either as name=rsi&length=14 or as indicators=rsi(14),macd(12,26,9)';
    throw invalidIndicator(new IndicatorFault('name', name ?? '', allowed, `An indicator must be ${allowed}`));
  }
  if (indicators && given[0]) {
    const [parameter, value] = given[0];
    const allowed = 'given in parentheses after the name of an indicator, such as rsi(14)';
    throw invalidIndicator(new IndicatorFault(parameter, value, allowed));
  }
  if (indicators) return indicators.map((text) => specOf(() => parseIndicator(text), 'indicators', text));
  return [specOf(() => (given.length === 0 ? parseIndicator(name!) : indicatorOf(name!, Object.fromEntries(given))))];
}

/** A fault in a text with several inputs is that of the parameter with the text. */
function specOf(parse: () => IndicatorSpec, parameter?: string, text?: string): IndicatorSpec {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof IndicatorFault)) throw error;
    const { input, value, allowed, message } = error;
    throw invalidIndicator(new IndicatorFault(parameter ?? input, text ?? value, allowed, message));
  }
}

function resultOf({ spec, rows }: IndicatorColumn, { bars, isForming }: IndicatorTable): IndicatorResult {
  const { lines, offsets } = definitionOf(spec);
  const last = bars.length - 1;
  const items = rows.map(({ values, settled }, at): IndicatorItem => {
    const named =
      lines.length === 1
        ? { value: finite(values[0]!) }
        : { values: Object.fromEntries(lines.map((line, index) => [line, finite(values[index]!)])) };
    const time = new Date(bars[at]!.time).toISOString();
    return { time, ...named, settled, ...(isForming && at === last && { forming: true as const }) };
  });
  return {
    name: spec.name,
    indicator: spec.text,
    inputs: wireInputs(spec.inputs),
    ...(offsets && { offsets: offsets(spec.inputs) }),
    items,
  };
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
