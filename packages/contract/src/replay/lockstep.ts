// Lockstep: the clock of a replay waits until the readers of its streams have asked for the next time.
import { z } from 'zod';
import { namedObject, timestamp } from '../common/values.ts';

export const NEXT_ACTION = 'next';

export const NextMessage = namedObject('NextMessage', 'Asks for the messages of the next time', () => ({
  action: z.literal(NEXT_ACTION).meta({ description: 'Type of the request' }),
}));

export const LockstepNotice = namedObject('LockstepNotice', 'A notice to a reader in lockstep', () => ({
  event: z.enum(['waiting', 'ended']).meta({
    description: '`waiting`: everything up to the clock was sent, and the clock waits. `ended`: the range has no more',
  }),
  clock: timestamp('Clock of the session'),
}));
export type LockstepNotice = z.infer<typeof LockstepNotice>;
