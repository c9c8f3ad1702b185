// Values of indicators as JSON. A page may have a quarter of a million numbers, so the text is written directly and the times
// of the bars only once for all indicators.
import { wireInputs } from '@tickwire/contract';
import { definitionOf } from '@tickwire/engine';
import type { IndicatorColumn, IndicatorTable } from '../history/indicator-reader.ts';

/** The fields of each indicator of a table, without braces. */
export function indicatorFields(table: IndicatorTable): string[] {
  const last = table.bars.length - 1;
  const starts = table.bars.map(({ time }) => `{"time":"${new Date(time).toISOString()}",`);
  return table.columns.map((column) => {
    const itemOf = writerOf(column);
    let items = '';
    for (let at = 0; at <= last; at++) {
      const { values, settled } = column.rows[at]!;
      const forming = table.isForming && at === last ? ',"forming":true' : '';
      items += `${at > 0 ? ',' : ''}${starts[at]!}${itemOf(values)},"settled":${settled}${forming}}`;
    }
    return `${headOf(column)},"items":[${items}]`;
  });
}

function headOf({ spec }: IndicatorColumn): string {
  const { offsets } = definitionOf(spec);
  const { name, text: indicator, inputs } = spec;
  const head = { name, indicator, inputs: wireInputs(inputs), ...(offsets && { offsets: offsets(inputs) }) };
  return JSON.stringify(head).slice(1, -1);
}

function writerOf({ spec }: IndicatorColumn): (values: readonly number[]) => string {
  const { lines } = definitionOf(spec);
  if (lines.length === 1) return (values) => `"value":${numberText(values[0]!)}`;
  const names = lines.map((line, at) => `${at > 0 ? ',' : ''}"${line}":`);
  return (values) => {
    let json = '"values":{';
    for (let at = 0; at < names.length; at++) json += names[at]! + numberText(values[at]!);
    return `${json}}`;
  };
}

const numberText = (value: number): string => (Number.isFinite(value) ? String(value) : 'null');
