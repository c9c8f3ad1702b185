// A publisher without limits, for tests and measurements that publish more than any tier allows.
import { TIERS } from '@tickwire/contract';
import type { LimitedPublisher } from '../../src/signals/publication-limits.ts';

export const unlimitedPublisher = (publicId: string, name = publicId): LimitedPublisher => ({
  publicId,
  name,
  tierName: 'premium',
  tier: { ...TIERS.premium, active_signals_per_symbol: Number.MAX_SAFE_INTEGER },
  house: true,
});
