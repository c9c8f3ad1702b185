// `tickwire accounts`: list them, change a tier or a display name.
import { checkName, findAccount } from '../access/issue-key.ts';
import { openAccessStore } from '../store/sqlite/open.ts';
import { readArguments, UsageError } from './arguments.ts';
import { table } from './table.ts';

const HELP = `tickwire accounts list [--json]
tickwire accounts set-tier WHO TIER
tickwire accounts rename WHO NAME

WHO is a display name or the number in the list. A name once given never goes to another account.
`;

export async function accounts(args: string[]): Promise<number> {
  const { words, on, config: read } = readArguments(args, { switches: ['json'] });
  if (on.has('help')) {
    process.stdout.write(HELP);
    return 0;
  }
  const [action, who, value, ...rest] = words;
  const config = read();
  const { access: store, close } = openAccessStore(config.data);
  const audit = (act: string, subject: string) => store.audit({ at: Date.now(), actor: 'command line', act, subject });
  try {
    if (action === 'list' && who === undefined) {
      const list = await store.accounts();
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
    if (!who || !value || rest.length > 0)
      throw new UsageError('usage: tickwire accounts list | set-tier WHO TIER | rename WHO NAME');
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
    throw new UsageError('usage: tickwire accounts list | set-tier WHO TIER | rename WHO NAME');
  } finally {
    close();
  }
}
