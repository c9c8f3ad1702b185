// `GET /api/indicators` and `GET /api/indicators/{symbol}`.
import {
  INDICATOR_CATALOGUE,
  type IndicatorEntry,
  IndicatorFault,
  type IndicatorSpec,
  type IndicatorsQuery,
  indicatorList,
  indicatorOf,
  parseIndicator,
} from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import { staticResponse, type TaggedBody } from '../http/conditional-response.ts';
import { barPageOf, nextCursor } from './chart-history.ts';
import { parseChart } from './chart-reader.ts';
import { indicatorFields } from './indicator-json.ts';
import { readIndicators } from './indicator-reader.ts';
import type { BarSources } from './recorded-history.ts';
import { invalidIndicator } from './warm-up.ts';

const INPUT_NAMES: ReadonlySet<string> = new Set(
  (INDICATOR_CATALOGUE as readonly IndicatorEntry[]).flatMap(({ inputs }) => inputs.map(({ name }) => name)),
);

export const indicatorCatalogue = (): TaggedBody => staticResponse(JSON.stringify(indicatorList()));

/** The response as JSON, an `IndicatorPage` or an `IndicatorSet`, and the number of its bars. */
export async function indicatorValues(
  sources: BarSources,
  symbol: MarketSymbol,
  query: IndicatorsQuery,
): Promise<{ readonly body: string; readonly bars: number }> {
  const specs = specsOf(query);
  const chart = parseChart(query);
  const page = barPageOf(query);
  const table = await readIndicators(sources, chart, specs, { symbol, ...page, limit: query.limit });
  const { interval, align } = query;
  const head = JSON.stringify({ symbol, interval, align }).slice(0, -1);
  const next = JSON.stringify(table.hasMore ? nextCursor(chart, page, table.bars) : null);
  const fields = await indicatorFields(table);
  const body =
    query.name === undefined
      ? `${head},"indicators":[${fields.map((each) => `{${each}}`).join(',')}],"next":${next}}`
      : `${head},${fields[0]},"next":${next}}`;
  return { body, bars: table.bars.length };
}

export function specsOf(query: IndicatorsQuery): IndicatorSpec[] {
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
