// `tickwire keys`: creates, lists, revokes and rotates API keys, also while the service runs.
import {
  DATA_LINK_PATH,
  DEFAULT_LINK_DAYS,
  ENDPOINTS,
  iso,
  isoOrNull,
  MAX_KEY_DAYS,
  MAX_LINK_DAYS,
  SigningKeyRequest,
} from '@tickwire/contract';
import { DAY_MS, HOUR_MS, SymbolIndex } from '@tickwire/engine';
import {
  type CreatedKey,
  checkScopes,
  createAccount,
  findAccount,
  findKey,
  issueKey,
  revokeKey,
  rotateKey,
} from '../access/issue-key.ts';
import { DataLinkTargets } from '../accounts/data-link-targets.ts';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import { loadInstruments, withAdded } from '../market/instruments.ts';
import { printRows } from '../ops/table.ts';
import { openAccessStore } from '../store/open-store.ts';
import type { AccessStore } from '../store/store.ts';
import { type Arguments, readArguments, UsageError } from './arguments.ts';
import { wholeNumber } from './flag-values.ts';
import { NOT_ANSWERED, requestOfLog } from './log-request.ts';
import { waitForServices } from './wait-for-services.ts';

const HELP = `tickwire keys create [--tier free] [--scope read] [--name NAME] [--account ACCOUNT] [--expires DAYS] [--count N] [--json]
tickwire keys create --path PATH [--name NAME] [--account ACCOUNT] [--expires DAYS] [--json]
tickwire keys list [--json]
tickwire keys revoke ID
tickwire keys rotate ID [--overlap HOURS] [--json]
tickwire keys sign-with ACCOUNT PUBLIC_KEY | --remove

Tiers are free, pro, premium, and those of the configuration. Scopes are read, alerts, publish, ingest, admin, hook.
create also creates an account, unless --account names an existing one. The tier belongs to the account.
The scope hook is for TradingView alerts: the key is part of the webhook address and allows nothing else.
--path creates a data link instead of a key: an address that reads one path and its query without a key, for spreadsheets and
charting libraries, such as --path '/api/bars/EURUSD?interval=1d&format=csv', or --path /udf for TradingView. It expires after
${DEFAULT_LINK_DAYS} days, or --expires up to ${MAX_LINK_DAYS}.
rotate creates a replacement; the old key stays valid for --overlap hours (default 24).
sign-with registers an Ed25519 public key (64 hex digits): the account must then sign its signals. --remove ends that.
create and rotate wait until the running service accepts the new key, for at most 5 seconds.
`;

const MAX_COUNT = 100_000;

export async function keys(args: string[]): Promise<number> {
  const parsed = readArguments(args, {
    values: ['tier', 'scope', 'name', 'account', 'expires', 'count', 'overlap', 'path'],
    switches: ['json', 'remove'],
  });
  const [action, ...words] = parsed.words;
  const act = action !== undefined && Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (parsed.on.has('help') || !act) {
    (parsed.on.has('help') ? process.stdout : process.stderr).write(HELP);
    return parsed.on.has('help') ? 0 : 2;
  }
  const config = parsed.config();
  await using opened = await openAccessStore(config);
  await act(opened.access, config, parsed, words);
  return 0;
}

type Act = (store: AccessStore, config: Config, args: Arguments, words: string[]) => Promise<void>;

const ACTIONS: Readonly<Record<string, Act>> = {
  async create(store, config, { flags, on }, words) {
    none(words, 'keys create [--tier TIER] [--scope SCOPES] [--name NAME] [--count N] [--json]');
    const tier = flags.tier ?? 'free';
    if (!config.tiers[tier])
      throw new UsageError(`unknown tier ${tier}; available tiers: ${Object.keys(config.tiers).join(', ')}`);
    if (flags.account && flags.tier)
      throw new UsageError('the tier belongs to the account; use --account or --tier, not both');
    if (flags.path !== undefined && flags.scope !== undefined)
      throw new UsageError('a data link only reads its path; use --path or --scope, not both');
    const path = flags.path === undefined ? null : linkPath(flags.path, await withAdded(config));
    const scopes = checkScopes((flags.scope ?? 'read').split(',').map((scope) => scope.trim()));
    const count = wholeNumber('--count', flags.count ?? '1', 1, MAX_COUNT);
    const days = flags.expires ?? (path === null ? undefined : `${DEFAULT_LINK_DAYS}`);
    const maxDays = path === null ? MAX_KEY_DAYS : MAX_LINK_DAYS;
    const expiresAt = days === undefined ? null : Date.now() + wholeNumber('--expires', days, 1, maxDays) * DAY_MS;
    const existing = flags.account ? await findAccount(store, flags.account) : null;
    for (let index = 0; index < count; index++) {
      const by = { store, actor: 'command line', now: Date.now() };
      const name = flags.name ?? (path === null ? 'key' : 'link');
      const account = existing ?? (await createAccount(by, name, tier, true));
      show(await issueKey(by, { name, scopes, expiresAt, account, path }), on.has('json'), path);
    }
    await waitForServices(store, count === 1 ? 'the key' : 'the keys');
  },

  async list(store, _config, { on }, words) {
    none(words, 'keys list [--json]');
    const accounts = new Map((await store.accounts()).map((account) => [account.id, account]));
    const rows = (await store.keys()).map((key) => {
      const account = accounts.get(key.accountId)!;
      return {
        id: key.id,
        name: key.name,
        account: account.name,
        tier: account.tier,
        scopes: key.scopes,
        created_at: iso(key.createdAt),
        expires_at: isoOrNull(key.expiresAt),
        revoked_at: isoOrNull(key.revokedAt),
        last_used_at: isoOrNull(key.lastUsedAt),
        session_ended_at: isoOrNull(key.sessionEndedAt ?? null),
      };
    });
    printRows(rows, on.has('json'), {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      ACCOUNT: ({ account }) => account,
      TIER: ({ tier }) => tier,
      SCOPES: ({ scopes }) => scopes.join(','),
      STATE: stateOf,
      'LAST USED': (row) => row.last_used_at ?? 'never',
    });
  },

  async revoke(store, _config, _args, words) {
    const { id } = await findKey(store, only(words, 'keys revoke ID'));
    await revokeKey({ store, actor: 'command line', now: Date.now() }, id);
    process.stdout.write(`Key ${id} is revoked. Its streams close within a second.\n`);
  },

  async rotate(store, _config, { flags, on }, words) {
    const { id, path } = await findKey(store, only(words, 'keys rotate ID'));
    const overlap = wholeNumber('--overlap', flags.overlap ?? '24', 0, 8_760) * HOUR_MS;
    const now = Date.now();
    const issued = await rotateKey({ store, actor: 'command line', now }, id, overlap);
    show(issued, on.has('json'), path ?? null);
    if (!on.has('json'))
      process.stdout.write(`The old key ${id} expires ${overlap === 0 ? 'immediately' : iso(now + overlap)}.\n`);
    await waitForServices(store, 'the key');
  },

  async 'sign-with'(store, config, { on }, words) {
    const [name, key = null, ...rest] = words;
    if (name === undefined || rest.length > 0 || (key === null) !== on.has('remove'))
      throw new UsageError('usage: tickwire keys sign-with ACCOUNT PUBLIC_KEY | --remove');
    if (!SigningKeyRequest.safeParse({ public_key: key }).success)
      throw new UsageError('the public key must be 64 hex digits in lower case');
    const { publicId: publisher, name: account } = await findAccount(store, name);
    const done = await requestOfLog(store, config.realm, { kind: 'signing key', publisher, public_key: key });
    const effect = key === null ? 'need not be signed any more' : 'must be signed with this key from now on';
    process.stdout.write(done ? `Signals of ${account} ${effect}.\n` : `${NOT_ANSWERED}\n`);
  },
};

/** `path`: of a data link; `null` for a key. */
function show({ id, key, account, scopes, expiresAt }: CreatedKey, json: boolean, path: string | null): void {
  const expires = expiresAt === null ? {} : { expires_at: iso(expiresAt) };
  const hook = scopes.includes('hook') ? ENDPOINTS.tradingViewHook.path.replace('{token}', key) : null;
  const link = path === null ? null : DATA_LINK_PATH + key;
  if (json && link) {
    process.stdout.write(`${JSON.stringify({ id, link, path, account: account.name, ...expires })}\n`);
    return;
  }
  if (link) {
    process.stdout.write(
      `https://YOUR-HOST${link}\n  reads ${path} for account ${account.name} until ${isoOrNull(expiresAt)}. The address is a secret and shown only once.\n`,
    );
    return;
  }
  if (json) {
    const issued = { id, key, tier: account.tier, scopes, account: account.name, ...expires, ...(hook && { hook }) };
    process.stdout.write(`${JSON.stringify(issued)}\n`);
    return;
  }
  process.stdout.write(
    `${key}\n  tier ${account.tier}, scopes ${scopes.join(',')}, account ${account.name}. The key is shown only once.\n`,
  );
  // The command does not know the public address of the service.
  if (hook) process.stdout.write(`  Webhook URL for TradingView (also a secret): https://YOUR-HOST${hook}\n`);
}

function linkPath(path: string, config: Config): string {
  const index = new SymbolIndex(loadInstruments(config).map(({ symbol }) => symbol));
  try {
    return new DataLinkTargets((code) => index.resolve(code)).check(path);
  } catch (error) {
    if (error instanceof ServiceError) throw new UsageError(`--path: ${error.message}`);
    throw error;
  }
}

interface KeyTimes {
  readonly revoked_at: string | null;
  readonly expires_at: string | null;
  readonly session_ended_at: string | null;
}

function stateOf({ revoked_at, expires_at, session_ended_at }: KeyTimes): string {
  if (revoked_at) return 'revoked';
  if (expires_at && Date.parse(expires_at) <= Date.now()) return 'expired';
  const state = expires_at ? `until ${expires_at.slice(0, 16)}` : 'valid';
  return session_ended_at ? `${state}, of an ended session` : state;
}

function none(words: string[], usage: string): void {
  if (words.length > 0) throw new UsageError(`usage: tickwire ${usage}`);
}

function only(words: string[], usage: string): string {
  if (words.length !== 1) throw new UsageError(`usage: tickwire ${usage}`);
  return words[0]!;
}
