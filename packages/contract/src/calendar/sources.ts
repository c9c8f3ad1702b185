// Status of the calendar sources, for operators. Counts are since the start of the service.
import { z } from 'zod';
import { ItemCount } from '../common/values.ts';
import { NewsSourceReport } from '../news/sources.ts';

export const CalendarSourceReport = NewsSourceReport.meta({
  id: 'CalendarSourceReport',
  description: 'Status of one calendar source',
});

export const CalendarSourceList = z
  .object({
    items: z.array(CalendarSourceReport).meta({ description: 'Calendar sources' }),
    count: ItemCount,
  })
  .meta({ id: 'CalendarSourceList', description: 'Status of all calendar sources' });
export type CalendarSourceList = z.infer<typeof CalendarSourceList>;
