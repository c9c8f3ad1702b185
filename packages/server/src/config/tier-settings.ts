// The setting of tiers: part of the table in settings.ts.
import { TIERS, Tier } from '@tickwire/contract';
import { z } from 'zod';

/** Limits that may be left out. */
const OPTIONAL = {
  signals_per_day: true,
  active_signals_per_symbol: true,
  live_indicators: true,
  export_rows_per_day: true,
  alerts: true,
  deliveries_per_day: true,
  delivery_delay_seconds: true,
  replays: true,
  replay_symbols: true,
  replay_events_per_minute: true,
  chat_channels: true,
} as const;
const ConfiguredTier = Tier.partial(OPTIONAL);
const REQUIRED = Object.keys(Tier.shape).filter((limit) => !(limit in OPTIONAL));

export const TIER_SETTINGS = {
  tiers: {
    schema: z.record(z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/), ConfiguredTier).transform(withDefaults),
    allowed: `an object of tiers, each with ${REQUIRED.join(', ')} and, if wanted, ${Object.keys(OPTIONAL)
      .join(', ')
      .replace(/, (?=\w+$)/, ' and ')}`,
    fallback: {},
    help: 'tiers in addition to or in place of free, pro and premium (configuration file only)',
  },
} as const;

/** Fills in the limits that were left out: those of the built-in tier with the same name, otherwise those of premium. */
function withDefaults(tiers: Readonly<Record<string, z.infer<typeof ConfiguredTier>>>): Record<string, Tier> {
  const builtIn = new Map<string, Tier>(Object.entries(TIERS));
  return Object.fromEntries(
    Object.entries(tiers).map(([name, tier]): [string, Tier] => {
      // A limit that was left out is not a property, so it does not replace the default.
      return [name, { ...(builtIn.get(name) ?? TIERS.premium), ...(tier as Tier) }];
    }),
  );
}
