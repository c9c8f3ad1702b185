// Which bars of a stretch of history are missing, and why.
import { z } from 'zod';
import { TIMEFRAMES } from './market.ts';
import { enumQuery, instantQuery, SymbolCode, Timestamp } from './values.ts';

/** `market_closed`: outside trading hours. `no_trades`: the source was up, nothing traded. `missing`: not recorded. */
export const ABSENCES = ['market_closed', 'no_trades', 'missing'] as const;
export type Absence = (typeof ABSENCES)[number];

export const CoverageQuery = z.object({
  timeframe: enumQuery('Length of a bar', TIMEFRAMES, '1h'),
  from: instantQuery('Start of the stretch; a day before `to` where left out'),
  to: instantQuery('End of the stretch; now where left out'),
});
export type CoverageQuery = z.infer<typeof CoverageQuery>;

/** Bars that one request looks at. */
export const MAX_COVERAGE_BARS = 50_000;

export const Coverage = z
  .object({
    symbol: SymbolCode,
    timeframe: z.enum(TIMEFRAMES),
    from: Timestamp,
    to: Timestamp,
    bars: z.int().meta({ description: 'Bars that are there' }),
    absent: z
      .array(
        z.object({
          from: Timestamp.meta({ description: 'Start of the first bar that is not there' }),
          to: Timestamp.meta({ description: 'End of the last bar that is not there' }),
          bars: z.int(),
          reason: z.enum(ABSENCES),
        }),
      )
      .meta({ description: 'Ascending; neighbours with one reason are one entry' }),
  })
  .meta({ id: 'Coverage' });
export type Coverage = z.infer<typeof Coverage>;
