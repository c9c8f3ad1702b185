// `tickwire audit`: what was done to accounts and keys, newest first.
import { openAccessStore } from '../store/open.ts';
import { readArguments, wholeNumber } from './arguments.ts';
import { table } from './table.ts';

const HELP = `tickwire audit [--limit 50] [--json]

Administrative acts: accounts and keys made, changed and revoked, backups; who did it and when.
`;

export async function audit(args: string[]): Promise<number> {
  const { flags, on, config } = readArguments(args, { values: ['limit'], switches: ['json'] });
  if (on.has('help')) {
    process.stdout.write(HELP);
    return 0;
  }
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
      process.stdout.write(table(['TIME', 'BY', 'ACT', 'ON'], rows));
    }
    return 0;
  } finally {
    await close();
  }
}
