// Parses calendar documents on a worker thread: a recurrence rule can describe millions of occurrences.
import { WorkerParser } from '../../documents/worker-parser.ts';
import { type CalendarDocument, calendarFailure, type ParsedCalendar } from './parsed-calendar.ts';

export class CalendarParser extends WorkerParser<CalendarDocument, ParsedCalendar> {
  constructor(deadlineMs?: number) {
    super({
      // Named as in a package. In a checkout, Bun finds the `.ts` file.
      open: () => new Worker(new URL('./calendar-parser.worker.js', import.meta.url)),
      failed: calendarFailure,
      ...(deadlineMs !== undefined && { deadlineMs }),
    });
  }
}
