// All REST methods that a client has itself: one for each endpoint of the service, named as in its API reference. Each domain is a
// class that extends the one before it, so that every method is called on the client. Account, key and operator endpoints are
// groups of their own, such as `client.keys`.
import type { Health, Readiness, Usage, UsageHistory } from '../common/contract.ts';
import type { UsageHistoryOptions, UsageOptions } from './account-options.ts';
import { AlertsApi } from './alerts-api.ts';
import { type CallOptions, get } from './request.ts';

/** The REST methods of {@link TickwireClient}. Each rejects with a {@link TickwireError} if the call fails. */
export class RestApi extends AlertsApi {
  /**
   * The tier of the account and what is left of its allowances. With `detail: true`, also the limits of published signals, and
   * whether keys or sessions are counted.
   * @example const { requests, streams, ai_calls } = await client.usage();
   */
  usage({ detail, ...call }: UsageOptions & CallOptions = {}): Promise<Usage> {
    return get(this.rest, '/api/usage', detail === undefined ? {} : { detail }, call);
  }

  /**
   * What the account used over time, and by key.
   * @example const { points, keys } = await client.usageHistory({ period: 'month' });
   */
  usageHistory(options: UsageHistoryOptions = {}, call?: CallOptions): Promise<UsageHistory> {
    return get(this.rest, '/api/usage/history', { ...options }, call);
  }

  /**
   * Whether the process is alive. Needs no key.
   * @example const { status } = await client.healthz();
   */
  healthz(call?: CallOptions): Promise<Health> {
    return get(this.rest, '/healthz', {}, call);
  }

  /**
   * Whether the service is ready. Rejects with a {@link TickwireError} of status 503 if it is not. Needs no key.
   * @example const { checks } = await client.readyz();
   */
  readyz(call?: CallOptions): Promise<Readiness> {
    return get(this.rest, '/readyz', {}, call);
  }
}
