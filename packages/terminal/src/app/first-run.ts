// Remembers in this browser which accounts have dismissed the first steps.
import { type RecordStorage, readRecord, storeRecord } from '../ui/stored-record.ts';

const NAME = 'tickwire.first-steps';
/** For browsers that never show them, such as a shared screen. */
const EVERYONE = 'everyone';

export function needsFirstSteps(storage: RecordStorage, account: string): boolean {
  const dismissed = readRecord(storage, NAME);
  return dismissed[account] !== true && dismissed[EVERYONE] !== true;
}

export function dismissFirstSteps(storage: RecordStorage, account: string): void {
  storeRecord(storage, NAME, { ...readRecord(storage, NAME), [account]: true });
}
