// Parameters of the calls for the account and its keys.
import type { DataLinkRequest, DocumentKind, KeyRequest, UsageHistory } from '../common/contract.ts';

/**
 * What to return about the limits of the account.
 * @example await client.usage({ detail: true });
 */
export interface UsageOptions {
  /** Adds `signals`, the limits of published signals, and `limits_of`. Default false. */
  readonly detail?: boolean;
}

/**
 * Which period to report.
 * @example await client.usageHistory({ period: 'month' });
 */
export interface UsageHistoryOptions {
  /** The last hour by minute, 24 hours by hour, or 30 days by day. Default `day`. */
  readonly period?: UsageHistory['period'];
  /** Adds `sessions`: the part of signed-in sessions, and their own limits. Default false. */
  readonly detail?: boolean;
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

/**
 * A data link to create.
 * @example await client.links.create({ name: 'Chart', path: '/udf', expires_days: 30 });
 */
export interface NewDataLink extends Pick<DataLinkRequest, 'name' | 'path'> {
  /** Days until the link expires, up to 366. Default 90. */
  readonly expires_days?: DataLinkRequest['expires_days'];
}

/**
 * Which documents of the account to return.
 * @example await client.account.documents.list({ kind: 'drawings' });
 */
export interface DocumentListOptions {
  /** Only documents of this kind. Default: all. */
  readonly kind?: DocumentKind;
  /** Whether items have their `value`. Default: with `kind` only. */
  readonly values?: boolean;
}

/**
 * A document to store.
 * @example await client.account.documents.put('watchlist', 'Metals', { value: { symbols: ['XAUUSD'] } });
 */
export interface DocumentPutOptions {
  /** Any JSON object, up to 64 KiB as JSON. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Revision that the change is based on. Default 0: the document must not exist yet. */
  readonly revision?: number;
}
