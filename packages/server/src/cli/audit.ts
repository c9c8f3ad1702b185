// `tickwire audit`: the audit log of accounts and keys, newest first.
import { table } from '../ops/table.ts';
import { openAccessStore } from '../store/open-store.ts';
import { printHelp, readArguments, wholeNumber } from './arguments.ts';

const HELP = `tickwire audit [--limit 50] [--json]

Shows administrative actions, newest first: changes to accounts and keys, backups, exports and imports, with time and actor.
`;

export async function audit(args: string[]): Promise<number> {
  const { flags, on, config } = readArguments(args, { values: ['limit'], switches: ['json'] });
  if (printHelp(on, HELP)) return 0;
  const limit = wholeNumber('--limit', flags.limit ?? '50', 1, 1_000_000);
  const { access, close } = await openAccessStore(config());
  try {
    const entries = (await access.auditLog(limit)).map(({ at, ...entry }) => ({
      at: new Date(at).toISOString(),
      ...entry,
    }));
    if (on.has('json')) for (const entry of entries) process.stdout.write(`${JSON.stringify(entry)}\n`);
    else {
      const rows = entries.map(({ at, actor, act, subject }) => [at, actor, act, subject]);
      process.stdout.write(table(['TIME', 'ACTOR', 'ACTION', 'SUBJECT'], rows));
    }
    return 0;
  } finally {
    await close();
  }
}
