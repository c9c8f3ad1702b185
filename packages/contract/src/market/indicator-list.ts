// The catalogue of indicators as `GET /api/indicators` returns it.
import { INDICATOR_CATALOGUE, type IndicatorEntry, type IndicatorInput } from './indicator-catalogue.ts';
import { parseIndicator } from './indicator-spec.ts';
import type { IndicatorDescription, IndicatorList } from './indicators.ts';

export function indicatorList(): IndicatorList {
  const items = (INDICATOR_CATALOGUE as readonly IndicatorEntry[]).map(describe);
  return { items, count: items.length };
}

const describe = (entry: IndicatorEntry): IndicatorDescription => ({
  name: entry.name,
  aliases: [...(entry.aliases ?? [])],
  title: entry.title,
  description: entry.description,
  formula: entry.formula,
  indicator: parseIndicator(entry.name).text,
  inputs: entry.inputs.map(describeInput),
  lines: [...entry.lines],
  pane: entry.pane,
  needs_trades: entry.needsTrades ?? false,
});

function describeInput(input: IndicatorInput): IndicatorDescription['inputs'][number] {
  const { name, kind: type, description } = input;
  const common = { name, type, description, default: input.default };
  return 'choices' in input
    ? { ...common, choices: [...input.choices] }
    : { ...common, minimum: input.least, maximum: input.most };
}
