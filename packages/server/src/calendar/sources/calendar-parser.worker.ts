// Worker thread of the calendar parser.
import { serveParser } from '../../documents/worker-parser.ts';
import { parseCalendar } from './parse-calendar.ts';

serveParser(parseCalendar);
