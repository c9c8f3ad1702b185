// Simulates the next release as far as the database is concerned: preloaded into a process, it adds a migration step.
import { type SchemaStep, STEPS } from '../packages/server/src/store/postgres/schema.ts';

/** Only adds to the schema, so that older code keeps working beside it. */
export const NEXT_STEP: SchemaStep = {
  access: 'ALTER TABLE keys ADD COLUMN colour TEXT',
  realm: "ALTER TABLE signals ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'; CREATE TABLE moods (name TEXT)",
  compatibleFrom: 1,
};

if (process.env.TICKWIRE_TEST_NEXT_RELEASE === '1') (STEPS as SchemaStep[]).push(NEXT_STEP);
