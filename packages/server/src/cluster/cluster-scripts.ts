// All Lua scripts of the cluster. Every link that runs scripts loads them all.
import { APPEND_JOURNAL, OPEN_JOURNAL } from './journal/redis-journal-scripts.ts';
import { LEASE_SCRIPTS } from './lease.ts';
import { PRESENCE_SCRIPTS } from './presence.ts';
import type { RedisScript } from './redis-script.ts';
import { ALLOWANCE_SCRIPTS } from './shared-allowance.ts';
import { ATTEMPT_SCRIPTS } from './shared-attempts.ts';
import { DOCUMENT_SCRIPTS } from './shared-documents.ts';
import { ROW_SCRIPTS } from './shared-rows.ts';
import { SLOT_SCRIPTS } from './shared-slots.ts';

export const CLUSTER_SCRIPTS: readonly RedisScript[] = [
  ...LEASE_SCRIPTS,
  ...PRESENCE_SCRIPTS,
  ...ALLOWANCE_SCRIPTS,
  ...SLOT_SCRIPTS,
  ...ATTEMPT_SCRIPTS,
  ...ROW_SCRIPTS,
  ...DOCUMENT_SCRIPTS,
  OPEN_JOURNAL,
  APPEND_JOURNAL,
];
