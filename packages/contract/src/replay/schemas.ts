// Replay sessions: a range of the recorded past with a clock of its own, which reads can be answered as of.
import { z } from 'zod';
import {
  InstrumentCode,
  integer,
  namedList,
  namedObject,
  parseInstant,
  SymbolCode,
  text,
  timestamp,
} from '../common/values.ts';
import { INTERVALS } from '../market/bars.ts';

/** Seconds of the past per second. */
export const MIN_REPLAY_SPEED = 0.1;
export const MAX_REPLAY_SPEED = 10_000;
/** Length of the range of a session. */
export const MAX_REPLAY_DAYS = 31;
/** Instruments of a session, whatever the tier allows. */
export const MAX_REPLAY_SYMBOLS = 100;

const moment = (description: string) =>
  z
    .string()
    .refine((value) => parseInstant(value) !== null)
    .meta({ description, allowed: 'an ISO 8601 time or date, or Unix time in seconds or milliseconds, as a text' });

const speed = z.union([z.number().min(MIN_REPLAY_SPEED).max(MAX_REPLAY_SPEED), z.literal('max')]).meta({
  description: 'Seconds of the past per second, or `max`: as fast as the streams of the session are read. 1 by default',
  allowed: `a number between ${MIN_REPLAY_SPEED} and ${MAX_REPLAY_SPEED}, or max`,
});

const RUNNING = z
  .enum(['playing', 'paused'])
  .meta({ description: 'Whether the clock runs; it is paused by default', allowed: 'playing or paused' });

export const ReplaySessionRequest = namedObject('ReplaySessionRequest', 'A range of the past to replay', () => ({
  symbols: z
    .array(InstrumentCode)
    .min(1)
    .max(MAX_REPLAY_SYMBOLS)
    .meta({ description: 'Instruments', allowed: `a list of 1 to ${MAX_REPLAY_SYMBOLS} instrument codes` }),
  from: moment('Start: the clock begins here'),
  to: moment('End, where the clock stops. Now by default').optional(),
  speed: speed.optional(),
  start: RUNNING.optional(),
}));
export type ReplaySessionRequest = z.infer<typeof ReplaySessionRequest>;

export const ReplaySessionChange = namedObject('ReplaySessionChange', 'A change of the clock of a session', () => ({
  state: RUNNING.optional(),
  speed: speed.optional(),
  step: z.enum(['tick', 'bar']).optional().meta({
    description:
      'Goes to the next tick, or to the end of the bar in which it is, and pauses unless `state` is `playing`',
    allowed: 'tick or bar',
  }),
  interval: z
    .string()
    .regex(/^(?:[1-9]\d{0,3}[mh]|1d|1w|1M)$/)
    .optional()
    .meta({ description: 'Length of the bar of `step`. `1m` by default', allowed: INTERVALS }),
  seek: moment('Sets the clock. Numbers of messages start at 1 again, with another epoch').optional(),
}));
export type ReplaySessionChange = z.infer<typeof ReplaySessionChange>;

export const ReplaySource = namedObject('ReplaySource', 'What is played in a part of the range', () => ({
  symbol: SymbolCode,
  from: timestamp('Start (inclusive)'),
  to: timestamp('End (exclusive)'),
  source: z.enum(['ticks', 'bars', 'none']).meta({
    description: '`ticks`: recorded ones. `bars`: four synthetic quotes for each minute. `none`: a gap',
  }),
}));
export type ReplaySource = z.infer<typeof ReplaySource>;

export const ReplaySession = namedObject('ReplaySession', 'A replay session', () => ({
  id: text('Id, for the header `Replay` or the parameter `replay`'),
  state: z.enum(['playing', 'paused', 'ended']).meta({ description: '`ended`: the clock has reached the end' }),
  symbols: z.array(SymbolCode).meta({ description: 'Instruments' }),
  from: timestamp('Start of the range'),
  to: timestamp('End of the range'),
  clock: timestamp('Time that reads are answered as of'),
  speed: z.union([z.number(), z.literal('max')]).meta({ description: 'Seconds of the past per second, or `max`' }),
  epoch: text('Epoch of its positions, which follows from symbols, range and the last seek'),
  sources: z.array(ReplaySource).meta({ description: 'What is played, by instrument, then ascending' }),
  created_at: timestamp('Time at which it was created'),
  idle_seconds: integer('The session ends when it was not used for this time'),
}));
export type ReplaySession = z.infer<typeof ReplaySession>;

export const ReplaySessionList = namedList('ReplaySessionList', 'The replay sessions of the account', ReplaySession);
export type ReplaySessionList = z.infer<typeof ReplaySessionList>;
