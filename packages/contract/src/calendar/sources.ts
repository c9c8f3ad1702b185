// Status of the calendar sources, for operators. Counts are since the start of the service.
import type { z } from 'zod';
import { namedList } from '../common/values.ts';
import { NewsSourceReport } from '../news/sources.ts';

export const CalendarSourceReport = NewsSourceReport.meta({
  id: 'CalendarSourceReport',
  description: 'Status of one calendar source',
});

export const CalendarSourceList = namedList(
  'CalendarSourceList',
  'Status of all calendar sources',
  CalendarSourceReport,
);
export type CalendarSourceList = z.infer<typeof CalendarSourceList>;
