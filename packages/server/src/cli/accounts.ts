// `tickwire accounts`: lists and renames accounts, sets tiers, resets passwords and two-factor sign-in, also while the
// service runs.
import type { AuditAction } from '@tickwire/contract';
import { AccessError } from '../access/access-error.ts';
import { checkName } from '../access/display-name.ts';
import { findAccount } from '../access/issue-key.ts';
import { revokeKeys, validKeys } from '../access/revoke-keys.ts';
import { resetPassword } from '../accounts/passwords.ts';
import { printRows } from '../ops/table.ts';
import type { Account } from '../store/account-store.ts';
import { openAccessStore } from '../store/open-store.ts';
import type { AccessStore } from '../store/store.ts';
import { printHelp, readArguments, UsageError } from './arguments.ts';

const HELP = `tickwire accounts list [--json]
tickwire accounts set-tier ACCOUNT TIER
tickwire accounts rename ACCOUNT NAME
tickwire accounts reset-password ACCOUNT [--revoke-keys]
tickwire accounts reset-two-factor ACCOUNT

ACCOUNT is a display name, or the number in the list. A name is never reused for another account.
reset-password generates a new password, prints it once, and signs the account out everywhere.
--revoke-keys also revokes its API keys, in case someone else has created or copied one.
reset-two-factor disables two-factor sign-in, for people who lost their authenticator app and their recovery codes.
`;

const USAGE =
  'usage: tickwire accounts list | set-tier ACCOUNT TIER | rename ACCOUNT NAME | reset-password ACCOUNT [--revoke-keys] | reset-two-factor ACCOUNT';

export async function accounts(args: string[]): Promise<number> {
  const { words, on, config: read } = readArguments(args, { switches: ['json', 'revoke-keys'] });
  if (printHelp(on, HELP)) return 0;
  const [action, who, value, ...rest] = words;
  const config = read();
  await using opened = await openAccessStore(config);
  const { access: store } = opened;
  const audit = (action: AuditAction, subject: string, { publicId }: Account) =>
    store.audit({ at: Date.now(), actor: 'command line', action, subject, account: publicId });
  if (action === 'list' && who === undefined) {
    const list = (await store.accounts()).filter(({ deletedAt }) => deletedAt === null);
    printRows(list, on.has('json'), {
      NUMBER: ({ id }) => String(id),
      NAME: ({ name }) => name,
      TIER: ({ tier }) => tier,
    });
    return 0;
  }
  if (action === 'reset-password' && who && value === undefined) {
    const account = await findAccount(store, who);
    const password = await resetPassword(store, account);
    await audit('password reset', account.name, account);
    process.stdout.write(`New password for ${account.name}, shown only once:\n\n  ${password}\n`);
    await offerToRevokeKeys(store, account, on.has('revoke-keys'));
    return 0;
  }
  if (action === 'reset-two-factor' && who && value === undefined) {
    const account = await findAccount(store, who);
    if (!(await store.deleteTwoFactor(account.id)))
      throw new AccessError(`${account.name} does not have two-factor sign-in`);
    await audit('two-factor reset', account.name, account);
    process.stdout.write(`${account.name} signs in without a code now.\n`);
    return 0;
  }
  if (!who || !value || rest.length > 0) throw new UsageError(USAGE);
  const account = await findAccount(store, who);
  if (action === 'set-tier') {
    if (!config.tiers[value])
      throw new UsageError(`unknown tier ${value}; available tiers: ${Object.keys(config.tiers).join(', ')}`);
    await store.setTier(account.id, value);
    await audit('tier set', `${account.name} to ${value}`, account);
    process.stdout.write(`${account.name} is now in the tier ${value}.\n`);
    return 0;
  }
  if (action === 'rename') {
    const name = checkName(value);
    await store.rename(account.id, name, Date.now());
    await audit('account renamed', `${account.name} to ${name}`, account);
    process.stdout.write(`${account.name} is now called ${name}.\n`);
    return 0;
  }
  throw new UsageError(USAGE);
}

async function offerToRevokeKeys(store: AccessStore, account: Account, revoke: boolean): Promise<void> {
  const by = { store, actor: 'command line', now: Date.now() };
  const count = revoke ? await revokeKeys(by, account) : (await validKeys(by, account)).length;
  if (count === 0) return;
  const keys = count === 1 ? '1 API key' : `${count} API keys`;
  const stay = count === 1 ? 'stays' : 'stay';
  process.stdout.write(
    revoke
      ? `\n${keys} revoked.\n`
      : `\n${keys} of the account ${stay} valid. If someone else may have a key, run this again with --revoke-keys.\n`,
  );
}
