// Practice signals: published in a replay session, and judged by the recorded past. They are in no log and no ranking.
import { z } from 'zod';
import {
  integer,
  namedList,
  namedObject,
  nameText,
  nullable,
  number,
  SymbolCode,
  text,
  timestamp,
} from '../common/values.ts';
import {
  EquityNow,
  EquityPoint,
  Exposure,
  InstrumentRecord,
  RecordWarning,
  SignalFigures,
} from '../signals/publishers.ts';

export const PracticeRecord = namedObject(
  'PracticeRecord',
  'Results of the practice signals of a replay session',
  () => ({
    session: text('Id of the session'),
    symbols: z.array(SymbolCode).meta({ description: 'Instruments of the session' }),
    from: timestamp('Start of its range'),
    to: timestamp('End of its range'),
    clock: timestamp('Time that the record is as of'),
    decisions: integer('Counted decisions'),
    e_value: z.number().min(0).meta({ description: 'Evidence for a mean R above 0: starts at 1, at most 1e12' }),
    open_r: number('Sum of R of the open signals at the current price'),
    worst_open_r: nullable(z.number(), 'Lowest R of an open signal since its fill'),
    drawdown_r: z.number().min(0).meta({ description: 'Current decline of R from its peak, open signals included' }),
    exposure: z.array(Exposure).meta({ description: 'Net direction of open signals by asset' }),
    warnings: z.array(RecordWarning).meta({ description: 'Warnings about the results' }),
    figures: SignalFigures.meta({ description: 'Figures of all signals' }),
    equity: z.array(EquityPoint).meta({ description: 'One point per ranked signal, by time of closing, at most 500' }),
    equity_now: EquityNow,
    instruments: z.array(InstrumentRecord).meta({ description: 'Results by instrument' }),
  }),
);
export type PracticeRecord = z.infer<typeof PracticeRecord>;

/** Saved records of an account, for each replay session that its tier allows. */
export const SAVED_RECORDS_PER_REPLAY = 5;
const MAX_RECORD_NAME = 100;

export const SavePracticeRequest = namedObject(
  'SavePracticeRequest',
  'A name for the record of practice signals',
  () => ({
    name: nameText(MAX_RECORD_NAME),
  }),
);
export type SavePracticeRequest = z.infer<typeof SavePracticeRequest>;

const saved = { id: text('Id'), name: text('Name'), saved_at: timestamp('Time at which it was saved') };

export const SavedPracticeInfo = namedObject(
  'SavedPracticeInfo',
  'Which record of practice signals was saved',
  () => saved,
);
export type SavedPracticeInfo = z.infer<typeof SavedPracticeInfo>;

export const SavedPractice = namedObject('SavedPractice', 'A saved record of practice signals', () => ({
  ...saved,
  record: PracticeRecord,
}));
export type SavedPractice = z.infer<typeof SavedPractice>;

export const SavedPracticeList = namedList('SavedPracticeList', 'The saved records of the account', SavedPractice);
export type SavedPracticeList = z.infer<typeof SavedPracticeList>;
