// All strategies by name.

import { breakout } from './breakout.ts';
import { meanReversion } from './mean-reversion.ts';
import type { Strategy } from './strategy.ts';
import { trend } from './trend.ts';

export const STRATEGIES = {
  breakout,
  mean_reversion: meanReversion,
  trend,
} as const satisfies Record<string, Strategy>;

export type StrategyName = keyof typeof STRATEGIES;
