// Parameters of the calls for the account and its keys.
import type { KeyRequest, UsageHistory } from '../common/contract.ts';

/**
 * Which period to report.
 * @example await client.usageHistory({ period: 'month' });
 */
export interface UsageHistoryOptions {
  /** The last hour by minute, 24 hours by hour, or 30 days by day. Default `day`. */
  readonly period?: UsageHistory['period'];
}

/**
 * An API key to create.
 * @example await client.keys.create({ name: 'bot', scopes: ['read', 'publish'], expires_days: 90 });
 */
export interface NewKey extends Pick<KeyRequest, 'name'> {
  /** What the key may do. Default `['read']`. */
  readonly scopes?: readonly KeyRequest['scopes'][number][];
  /** Days until the key expires; `null` for never. Default `null`. */
  readonly expires_days?: KeyRequest['expires_days'];
}
