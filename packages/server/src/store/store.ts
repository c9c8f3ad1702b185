// Everything that outlives the process. Each part is an interface of its own; sqlite/ and postgres/ implement all of them
// and pass the same suite (testing/store/store.suite.ts).
import type { AccessStore } from './access-store.ts';
import type { AlertStore } from './alert-store.ts';
import type { CalendarStore } from './calendar-store.ts';
import type { ChatStore } from './chat-store.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { HeadStore } from './head-store.ts';
import type { MarketStore } from './market-store.ts';
import type { NewsStore } from './news-store.ts';
import type { SignalStore } from './signal-store.ts';

export type * from './access-store.ts';
export type * from './audit-store.ts';
export type * from './market-store.ts';

export interface Store extends AsyncDisposable {
  readonly access: AccessStore;
  readonly market: MarketStore;
  readonly signals: SignalStore;
  readonly heads: HeadStore;
  readonly news: NewsStore;
  readonly calendar: CalendarStore;
  readonly alerts: AlertStore;
  readonly delivery: DeliveryStore;
  readonly chat: ChatStore;
  /**
   * From now on only writers with this token or a higher one may write market data, signals, news and alerts: an ingest node that
   * was paused while another took over is rejected. Undefined if one process has the store to itself.
   */
  fence?(token: number): Promise<void>;
  /** Whether a remote database is reachable now. */
  reachable?(): boolean;
  /** Throws a SchemaError if a remote database no longer has a schema that this release can work with. */
  checkSchema?(): Promise<void>;
  close(): Promise<void>;
}
