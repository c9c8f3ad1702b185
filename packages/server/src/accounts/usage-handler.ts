// Handler of GET /api/usage: what remains of the limits of an account. Only the count of published signals needs the store.
import { iso, type Usage, type UsageQuery } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import type { Caller } from '../access/keyring.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { SignalStore } from '../store/signal-store.ts';

export type UsageHandler = (caller: Caller, query: UsageQuery, now: number) => string | Promise<string>;

export function createUsageHandler(store: Pick<SignalStore, 'publishedSince'>): UsageHandler {
  return (caller, { detail }, now) => {
    const usage = usageOf(caller, now);
    if (!detail) return JSON.stringify(usage);
    return withStoreErrors(async () => {
      const published = await store.publishedSince(startOfDay(now));
      const signals = signalsOf(caller, published.get(caller.account.publicId) ?? 0, now);
      return JSON.stringify({ ...usage, signals, limits_of: caller.session ? 'sessions' : 'keys' } satisfies Usage);
    });
  };
}

function usageOf({ keyId, scopes, account, quota }: Caller, now: number): Usage {
  const { tier, tierName, name } = account;
  const { requests, maxStreams, openStreams } = quota;
  const used = account.aiCallsUsed(now);
  return {
    account: name,
    key: keyId,
    scopes: [...scopes],
    tier: tierName,
    requests: {
      limit: requests.limit,
      window_seconds: 60,
      remaining: requests.remaining(now),
      reset_seconds: Math.ceil(requests.resetMs(now) / 1000),
    },
    streams: { limit: maxStreams, open: openStreams },
    ai_calls: {
      limit: tier.ai_calls_per_day,
      used,
      remaining: Math.max(0, tier.ai_calls_per_day - used),
      resets_at: nextDay(now),
    },
  };
}

/** The example publishers have no daily limit. */
function signalsOf({ account: { tier, house } }: Caller, used: number, now: number): Usage['signals'] {
  return {
    limit: house ? null : tier.signals_per_day,
    used,
    remaining: house ? null : Math.max(0, tier.signals_per_day - used),
    resets_at: nextDay(now),
    active_per_symbol: tier.active_signals_per_symbol,
  };
}

const startOfDay = (now: number): number => now - (now % DAY_MS);
const nextDay = (now: number): string => iso(startOfDay(now) + DAY_MS);
