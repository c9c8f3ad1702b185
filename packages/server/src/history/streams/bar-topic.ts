// The bars of a symbol and a timeframe at a rate, with or without indicators.

import type { AccountState } from '../../access/account-state.ts';
import { ThrottledTopic, type ThrottledTopicOptions } from '../../ws/topic.ts';
import type { LiveIndicatorSet } from '../live-indicators.ts';

export interface BarTopicOptions extends ThrottledTopicOptions {
  readonly indicators: LiveIndicatorSet | null;
}

export class BarTopic extends ThrottledTopic {
  readonly indicators: LiveIndicatorSet | null;

  constructor(options: BarTopicOptions) {
    super(options);
    this.indicators = options.indicators;
  }

  override countReader(account: AccountState, change: 1 | -1): void {
    this.indicators?.countReader(account, change);
  }
}
