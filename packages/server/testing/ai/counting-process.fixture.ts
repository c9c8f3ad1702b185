// Counts AI calls as fast as possible and prints a dot after each, until it is killed.
import { writeSync } from 'node:fs';
import { AiCalls } from '../../src/ai/ai-calls.ts';
import { openSqliteAccessStore } from '../../src/store/sqlite/open-sqlite-store.ts';

const [folder, id] = process.argv.slice(2);
const { access } = openSqliteAccessStore(folder!);
const calls = new AiCalls({ store: access, now: Date.now });
const account = {
  id: Number(id),
  tierName: 'free',
  tier: { ai_calls_per_day: 1_000_000 },
  aiDay: 0,
  aiCalls: 0,
  aiCallsUsed: () => 0,
} as unknown as Parameters<AiCalls['count']>[0];
for (;;) {
  await calls.count(account, Date.now(), async () => {});
  writeSync(1, '.');
}
