// Checks before a takeover that an ingest node has the key its signal log was created with. It never creates a key.
import { existsSync } from 'node:fs';
import type { OpenedRecord } from '@tickwire/contract';
import type { SignalStore } from '../store/signal-store.ts';
import { openLogKey } from './log-key.ts';
import { parseRecord } from './log-records.ts';

/** Why the key in `file` cannot continue the signal log; `null` if it can, or if there is no log yet. */
export async function logKeyProblem(store: Pick<SignalStore, 'log'>, file: string): Promise<string | null> {
  const [first] = await store.log(-1, 1);
  if (!first) return null;
  const advice = 'copy the log-key.pem of the other ingest node there, or set TICKWIRE_LOG_KEY';
  if (!existsSync(file)) return `there is no log key at ${file}: ${advice}`;
  try {
    const { publicKey } = openLogKey(file);
    if (publicKey === parseRecord<OpenedRecord>(first).public_key) return null;
  } catch (error) {
    return (error as Error).message;
  }
  return `${file} is not the key this signal log was created with: ${advice}`;
}
