// A process that counts AI calls as fast as it can and says so after each, until it is killed.
import { writeSync } from 'node:fs';
import { openAccessStore } from '../store/sqlite/open.ts';
import { AiCalls } from './calls.ts';

const [folder, id] = process.argv.slice(2);
const { access } = openAccessStore(folder!);
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
