// Trading hours: the sessions of an instrument and its holidays.
import { z } from 'zod';
import { instantQuery, namedObject, RANGE_END, RANGE_START, SymbolCode, text, timestamp } from '../common/values.ts';

/** Maximum length of the range of one request, in days. */
export const MAX_HOURS_DAYS = 366;
/** Length of the range if it is not given, in days. */
export const DEFAULT_HOURS_DAYS = 7;

const TradingSession = z.object({ open: timestamp('Opening'), close: timestamp('Close') });
const timezone = text('Time zone of the hours (IANA); `UTC` if the market never closes');

export const HoursQuery = z.object({
  from: instantQuery(`${RANGE_START}. Default: now, or ${DEFAULT_HOURS_DAYS} days before \`to\``),
  to: instantQuery(
    `${RANGE_END}, at most ${MAX_HOURS_DAYS} days after \`from\`. ${DEFAULT_HOURS_DAYS} days after it by default`,
  ),
});
export type HoursQuery = z.infer<typeof HoursQuery>;

export const TradingHours = namedObject('TradingHours', 'Trading sessions of one instrument in a time range', () => ({
  symbol: SymbolCode,
  timezone,
  sessions: z.array(TradingSession).meta({
    description:
      'Whole sessions that overlap the range, ascending, with breaks and early closes. A market that never closes has one: the range',
  }),
  closed: z
    .array(
      z.object({
        date: z.iso.date().meta({ description: 'Local date of the trading day' }),
        reason: text('Name of the holiday or event'),
      }),
    )
    .meta({ description: 'Weekdays in the range on which the market is closed all day' }),
}));
export type TradingHours = z.infer<typeof TradingHours>;

export const InstrumentHours = namedObject(
  'InstrumentHours',
  'Trading hours of an instrument in the coming days',
  () => ({
    calendar: text('`always`, or the name in the instrument file'),
    timezone,
    sessions: z.array(TradingSession).meta({
      description: `Sessions that overlap the ${DEFAULT_HOURS_DAYS} days from 00:00 UTC of the current day on`,
    }),
  }),
);
export type InstrumentHours = z.infer<typeof InstrumentHours>;
