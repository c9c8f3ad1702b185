// Values of indicators as JSON. A page may have a quarter of a million numbers, so the text is written directly and the times
// of the bars only once for all indicators.
import { iso, wireInputs } from '@tickwire/contract';
import { definitionOf } from '@tickwire/engine';
import { pauses } from '../ops/pauses.ts';
import type { IndicatorColumn, IndicatorTable } from './indicator-reader.ts';

/** Rows that are joined at a time: joining all at the end would take long. */
const PART = 100;

/** The fields of each indicator of a table, without braces. */
export async function indicatorFields(table: IndicatorTable): Promise<string[]> {
  const pause = pauses();
  const last = table.bars.length - 1;
  const starts = table.bars.map(({ time }) => `{"time":"${iso(time)}",`);
  const fields: string[] = [];
  for (const column of table.columns) {
    const itemOf = writerOf(column);
    const parts: string[] = [];
    const items: string[] = [];
    for (let at = 0; at <= last; at++) {
      const { values, settled } = column.rows[at]!;
      const forming = table.isForming && at === last ? ',"forming":true' : '';
      items.push(`${starts[at]!}${itemOf(values)},"settled":${settled}${forming}}`);
      if (items.length === PART || at === last) parts.push(items.splice(0).join(','));
      await pause();
    }
    fields.push(`${headOf(column)},"items":[${parts.join(',')}]`);
  }
  return fields;
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
