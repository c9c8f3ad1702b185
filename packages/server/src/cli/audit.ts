// `tickwire audit`: the audit log of accounts, keys and sessions, newest first.
import { AuditQuery, iso } from '@tickwire/contract';
import { findAccount } from '../access/issue-key.ts';
import { fieldFaults } from '../errors/validation.ts';
import { printRows } from '../ops/table.ts';
import { openAccessStore } from '../store/open-store.ts';
import type { AccessStore, AuditFilter } from '../store/store.ts';
import { type Arguments, printHelp, readArguments, UsageError } from './arguments.ts';
import { invalidFlag, wholeNumber } from './flag-values.ts';

const HELP = `tickwire audit [--account ACCOUNT] [--action ACTION] [--from TIME] [--to TIME] [--before ID] [--limit 50] [--json]

Shows sign-ins, failed sign-ins, changes to accounts, keys and sessions, backups, exports and imports, newest first.
--account  entries about or by an account: its display name, its number, or its id (pub_…)
--action   entries with one action, such as "sign-in failed" or "key created"
--from     entries at or after a time such as 2026-03-02 or 2026-03-02T11:00Z
--to       entries before a time
--before   entries older than the one with this id, for the next page
`;

export async function audit(args: string[]): Promise<number> {
  const parsed = readArguments(args, {
    values: ['account', 'action', 'from', 'to', 'before', 'limit'],
    switches: ['json'],
  });
  const { words, on, config } = parsed;
  if (printHelp(on, HELP)) return 0;
  if (words.length > 0) throw new UsageError(`unexpected argument ${words[0]}; see tickwire help audit`);
  const filter = readFilter(parsed);
  await using opened = await openAccessStore(config());
  const { access } = opened;
  const account = parsed.flags.account && (await accountId(access, parsed.flags.account));
  const entries = (await access.auditLog({ ...filter, ...(account && { account }) })).map(({ at, ...entry }) => ({
    at: iso(at),
    ...entry,
  }));
  printRows(entries, on.has('json'), {
    ID: ({ id }) => String(id),
    TIME: ({ at }) => at,
    ACTOR: ({ actor }) => actor,
    ACTION: ({ action }) => action,
    SUBJECT: ({ subject }) => subject,
    ADDRESS: ({ address }) => address ?? '-',
  });
  return 0;
}

/** Reads the flags by the schema of the endpoint, so that both take the same values. */
function readFilter({ flags }: Arguments): AuditFilter {
  const limit = wholeNumber('--limit', flags.limit ?? '50', 1, 1_000_000);
  const { action, from, to, before } = flags;
  const parsed = AuditQuery.safeParse({ action, from, to, before });
  if (parsed.success) return { ...parsed.data, limit };
  const { field, allowed } = fieldFaults(parsed.error, AuditQuery, flags)[0]!;
  throw invalidFlag(`--${field}`, flags[field]!, allowed);
}

/** The id of a deleted account still finds its entries. */
const accountId = async (store: AccessStore, text: string): Promise<string> =>
  /^pub_[0-9a-f]{16}$/.test(text) ? text : (await findAccount(store, text)).publicId;
