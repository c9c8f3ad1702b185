// Worker thread of the calendar parser: one document in, one result out.

import { READY } from '../../news/sources/worker-parser.ts';
import { parseCalendar } from './parse-calendar.ts';
import type { CalendarDocument } from './parsed-calendar.ts';

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<CalendarDocument>) => {
  self.postMessage(parseCalendar(data));
};
self.postMessage(READY);
