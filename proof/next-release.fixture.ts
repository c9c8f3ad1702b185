// The release after this one, as far as a database can tell: loaded before the rest of a process, it knows a step more.
import { STEPS, type Step } from '../packages/server/src/store/postgres/schema.ts';

/** It adds, and older code goes on beside it. */
export const NEXT_STEP: Step = {
  access: 'ALTER TABLE keys ADD COLUMN colour TEXT',
  realm: "ALTER TABLE signals ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'; CREATE TABLE moods (name TEXT)",
  compatibleFrom: 1,
};

if (process.env.TICKWIRE_TEST_NEXT_RELEASE === '1') (STEPS as Step[]).push(NEXT_STEP);
