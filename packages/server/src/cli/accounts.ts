// `tickwire accounts`: list them, change a tier, a display name or a lost password, also while the service runs.
import { checkName, findAccount } from '../access/issue-key.ts';
import { resetPassword } from '../accounts/reset-password.ts';
import { openAccessStore } from '../store/open.ts';
import { readArguments, UsageError } from './arguments.ts';
import { table } from './table.ts';

const HELP = `tickwire accounts list [--json]
tickwire accounts set-tier WHO TIER
tickwire accounts rename WHO NAME
tickwire accounts reset-password WHO

WHO is a display name or the number in the list. A name once given never goes to another account.
reset-password gives the account a new password, prints it this once, and ends its sessions.
`;

const USAGE = 'usage: tickwire accounts list | set-tier WHO TIER | rename WHO NAME | reset-password WHO';

export async function accounts(args: string[]): Promise<number> {
  const { words, on, config: read } = readArguments(args, { switches: ['json'] });
  if (on.has('help')) {
    process.stdout.write(HELP);
    return 0;
  }
  const [action, who, value, ...rest] = words;
  const config = read();
  const { access: store, close } = await openAccessStore(config);
  const audit = (act: string, subject: string) => store.audit({ at: Date.now(), actor: 'command line', act, subject });
  try {
    if (action === 'list' && who === undefined) {
      const list = (await store.accounts()).filter(({ deletedAt }) => deletedAt === null);
      if (on.has('json')) for (const account of list) process.stdout.write(`${JSON.stringify(account)}\n`);
      else
        process.stdout.write(
          table(
            ['NUMBER', 'NAME', 'TIER'],
            list.map(({ id, name, tier }) => [String(id), name, tier]),
          ),
        );
      return 0;
    }
    if (action === 'reset-password' && who && value === undefined) {
      const account = await findAccount(store, who);
      const password = await resetPassword(store, account);
      await audit('password reset', account.name);
      process.stdout.write(`The new password of ${account.name}, shown this once:\n\n  ${password}\n`);
      return 0;
    }
    if (!who || !value || rest.length > 0) throw new UsageError(USAGE);
    const account = await findAccount(store, who);
    if (action === 'set-tier') {
      if (!config.tiers[value])
        throw new UsageError(`there is no tier ${value}: there are ${Object.keys(config.tiers).join(', ')}`);
      await store.setTier(account.id, value);
      await audit('tier set', `${account.name} to ${value}`);
      process.stdout.write(`${account.name} is now ${value}.\n`);
      return 0;
    }
    if (action === 'rename') {
      const name = checkName(value);
      await store.rename(account.id, name, Date.now());
      await audit('account renamed', `${account.name} to ${name}`);
      process.stdout.write(`${account.name} is now called ${name}.\n`);
      return 0;
    }
    throw new UsageError(USAGE);
  } finally {
    await close();
  }
}
