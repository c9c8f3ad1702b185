// Trading hours: the sessions of an instrument and its holidays.
import { z } from 'zod';
import { instantQuery, SymbolCode, text, timestamp } from '../common/values.ts';

/** Maximum length of the range of one request, in days. */
export const MAX_HOURS_DAYS = 366;
/** Length of the range if it is not given, in days. */
export const DEFAULT_HOURS_DAYS = 7;

const TradingSession = z.object({ open: timestamp('Opening'), close: timestamp('Close') });
const timezone = text('IANA name of the time zone in which the hours are defined. `UTC` if the market never closes');

export const HoursQuery = z.object({
  from: instantQuery(`Start of the range. The current time by default, or ${DEFAULT_HOURS_DAYS} days before \`to\``),
  to: instantQuery(
    `End of the range, at most ${MAX_HOURS_DAYS} days after \`from\`. ${DEFAULT_HOURS_DAYS} days after it by default`,
  ),
});
export type HoursQuery = z.infer<typeof HoursQuery>;

export const TradingHours = z
  .object({
    symbol: SymbolCode,
    timezone,
    sessions: z.array(TradingSession).meta({
      description:
        'Sessions that overlap the range, in ascending order. They are whole, so the first may open before the range and the ' +
        'last may close after it. Breaks and early closes are included. A market that never closes has one session: the range',
    }),
    closed: z
      .array(
        z.object({
          date: z.iso.date().meta({ description: 'Local date of the trading day' }),
          reason: text('Name of the holiday or event'),
        }),
      )
      .meta({ description: 'Weekdays in the range on which the market is closed all day' }),
  })
  .meta({ id: 'TradingHours', description: 'Trading sessions of one instrument in a time range' });
export type TradingHours = z.infer<typeof TradingHours>;

export const InstrumentHours = z
  .object({
    calendar: text('Name of the calendar: `always`, or as in the instrument file'),
    timezone,
    sessions: z.array(TradingSession).meta({
      description: `Sessions that overlap the ${DEFAULT_HOURS_DAYS} days from 00:00 UTC of the current day on`,
    }),
  })
  .meta({ id: 'InstrumentHours', description: 'Trading hours of an instrument in the coming days' });
export type InstrumentHours = z.infer<typeof InstrumentHours>;
