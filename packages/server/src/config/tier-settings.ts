// The setting of tiers: part of the table in settings.ts.
import { TIERS, Tier } from '@tickwire/contract';
import { z } from 'zod';

/** The limits of signals and of files may be left out. */
const ConfiguredTier = Tier.partial({
  signals_per_day: true,
  active_signals_per_symbol: true,
  export_rows_per_day: true,
});

export const TIER_SETTINGS = {
  tiers: {
    schema: z.record(z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/), ConfiguredTier).transform(withDefaults),
    fallback: {},
    allowed:
      'an object of tiers, each with requests_per_minute, streams, ai_calls_per_day and, if wanted, signals_per_day, active_signals_per_symbol and export_rows_per_day',
    help: 'tiers in addition to or in place of free, pro and premium (configuration file only)',
  },
} as const;

/** Fills in the limits that were left out: those of the built-in tier with the same name, otherwise those of premium. */
function withDefaults(tiers: Readonly<Record<string, z.infer<typeof ConfiguredTier>>>): Record<string, Tier> {
  const builtIn = new Map<string, Tier>(Object.entries(TIERS));
  return Object.fromEntries(
    Object.entries(tiers).map(([name, tier]): [string, Tier] => {
      const defaults = builtIn.get(name) ?? TIERS.premium;
      const {
        signals_per_day = defaults.signals_per_day,
        active_signals_per_symbol = defaults.active_signals_per_symbol,
        export_rows_per_day = defaults.export_rows_per_day,
      } = tier;
      return [name, { ...tier, signals_per_day, active_signals_per_symbol, export_rows_per_day }];
    }),
  );
}
