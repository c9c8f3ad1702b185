// The columns of bars. Times are those at which bars start.
import type { BarField } from '@tickwire/contract';
import { type Bar, hasSides, roundSize } from '@tickwire/engine';
import type { DetailedBar } from '../bar-details.ts';
import type { Column } from './table.ts';

const number = <Row>(name: string, cell: (row: Row) => number): Column<Row> => ({
  name,
  type: 'number',
  nullable: false,
  cell,
});
const nullable = <Row>(name: string, cell: (row: Row) => number | null): Column<Row> => ({
  name,
  type: 'number',
  nullable: true,
  cell,
});

export const BAR_COLUMNS: readonly Column<Bar>[] = [
  { name: 'time', type: 'time', nullable: false, cell: ({ time }) => time },
  number('open', ({ open }) => open),
  number('high', ({ high }) => high),
  number('low', ({ low }) => low),
  number('close', ({ close }) => close),
  number('volume', ({ volume }) => volume),
];

export const buyVolume = (bar: Bar): number | null => (hasSides(bar) ? bar.askVolume : null);
export const sellVolume = (bar: Bar): number | null => (hasSides(bar) ? bar.bidVolume : null);
export const deltaOf = (bar: Bar): number | null => (hasSides(bar) ? roundSize(bar.askVolume - bar.bidVolume) : null);

/** `source`: that of all bars whose details do not have one, `null` if unknown. */
export function fieldColumn(field: BarField, source: string | null): Column<DetailedBar> {
  switch (field) {
    case 'trades':
      return { name: field, type: 'integer', nullable: true, cell: ({ trades = null }) => trades };
    case 'vwap':
      return nullable(field, ({ vwap = null }) => vwap);
    case 'buy_volume':
      return nullable(field, buyVolume);
    case 'sell_volume':
      return nullable(field, sellVolume);
    case 'delta':
      return nullable(field, deltaOf);
    case 'source':
      return { name: field, type: 'text', nullable: true, cell: ({ source: own = source }) => own };
    case 'unrecorded_minutes':
      return {
        name: field,
        type: 'integer',
        nullable: true,
        cell: ({ unrecordedMinutes = null }) => unrecordedMinutes,
      };
  }
}

export const barColumns = (fields: readonly BarField[], source: string | null): Column<DetailedBar>[] => [
  ...BAR_COLUMNS,
  ...fields.map((field) => fieldColumn(field, source)),
];
