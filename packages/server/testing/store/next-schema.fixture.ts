// Simulates the next release as far as SQLite files are concerned: each schema has one more step. A test calls it, or a process
// preloads it with TICKWIRE_TEST_NEXT_RELEASE=1.
import type { Schema } from '../../src/store/sqlite/migrate.ts';
import { ACCESS_SCHEMA, MARKET_SCHEMA, TAPE_SCHEMA } from '../../src/store/sqlite/schema.ts';

type Changeable = { -readonly [Name in keyof Schema]: Schema[Name] };
const STEPS: readonly (readonly [Changeable, string])[] = [
  [ACCESS_SCHEMA, 'ALTER TABLE keys ADD COLUMN colour TEXT'],
  [MARKET_SCHEMA, 'CREATE TABLE moods (name TEXT) STRICT'],
  [TAPE_SCHEMA, 'ALTER TABLE tape ADD COLUMN colour TEXT'],
];

/** Returns the function that brings this release back. */
export function becomeNextRelease(): () => void {
  const before = STEPS.map(([schema]) => ({ ...schema }));
  for (const [schema, step] of STEPS) {
    schema.create += `;${step}`;
    schema.steps = [...schema.steps, step];
  }
  return () => {
    for (const [index, [schema]] of STEPS.entries()) Object.assign(schema, before[index]);
  };
}

if (process.env.TICKWIRE_TEST_NEXT_RELEASE === '1') becomeNextRelease();
