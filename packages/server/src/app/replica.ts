// The read models of a gateway node: restored from the store, then kept up to date by the journal of the active ingest node.
// The store is never ahead of the journal (an ingest node stores only what Redis has), so the journal is read from the point
// where the store ends.
import type { OpenedRecord } from '@tickwire/contract';
import { DAY_MS, Engine, type IsTrusted, LATE_WINDOW_MS } from '@tickwire/engine';
import { CalendarFeed } from '../calendar/calendar-feed.ts';
import { Deduplicator } from '../cluster/journal/deduplicator.ts';
import { SIM_SOURCE } from '../documents/source.ts';
import type { Batch, JournalEvent } from '../journal/journal.ts';
import type { Catalogue } from '../market/catalogue.ts';
import { MarketView } from '../market/market-view.ts';
import { restoreMarket } from '../market/restore.ts';
import { MAX_ITEMS_IN_MEMORY, NewsFeed } from '../news/news-feed.ts';
import { parseRecord } from '../signals/log-records.ts';
import { SignalEvents } from '../signals/signal-events.ts';
import { SignalFeed } from '../signals/signal-feed.ts';
import { TrackRecords } from '../signals/track-records.ts';
import type { Store, TapeBlock } from '../store/store.ts';
import { IMPORTED, ticksOf } from '../store/tape-records.ts';
import type { LastSeqs } from '../ws/channel.ts';
import type { Access } from './access.ts';

export interface ReplicaOptions {
  readonly catalogue: Pick<Catalogue, 'instruments' | 'load'>;
  readonly store: Store;
  readonly access: Pick<Access, 'nameOf' | 'publisherOf'>;
  /** Whether prices of a source count for the ranking of publishers. */
  readonly isTrusted: IsTrusted;
  /** Whether simulated news are served. */
  readonly simulatedNews: boolean;
  /** A source of calendar events that are not served; `null` for none. */
  readonly hiddenCalendar: string | null;
  readonly now: () => number;
}

export class Replica {
  readonly market: MarketView;
  readonly feed: SignalFeed;
  readonly trackRecords: TrackRecords;
  readonly news: NewsFeed;
  readonly calendar: CalendarFeed;
  readonly events: SignalEvents;
  /** The store has everything up to this `seq`. */
  seq = 0;
  /** Time of the newest tick in the store. */
  storedUntil = 0;
  readonly #options: ReplicaOptions;
  readonly #deduplicator: Deduplicator;

  private constructor(options: ReplicaOptions, announcements: SignalEvents) {
    const { store, access, isTrusted, simulatedNews } = options;
    this.#options = options;
    this.market = new MarketView(options.catalogue.instruments);
    this.feed = new SignalFeed({ store: store.signals, ...access });
    this.trackRecords = new TrackRecords({ store: store.signals, ...access, isTrusted });
    this.news = new NewsFeed({ store: store.news, except: simulatedNews ? null : SIM_SOURCE });
    this.calendar = new CalendarFeed({ store: store.calendar, except: options.hiddenCalendar });
    this.events = announcements;
    this.#deduplicator = new Deduplicator(announcements.newest);
  }

  /** Requires a signal log, which the first ingest node of a cluster creates. */
  static async open(options: ReplicaOptions): Promise<Replica> {
    const { store, catalogue, access } = options;
    const [opened] = await store.signals.log(-1, 1);
    const { log: name } = parseRecord<OpenedRecord>(opened!);
    const tail = (await store.signals.tail())!;
    const announcements = await SignalEvents.open({
      store: store.signals,
      ledger: { name, length: tail.n + 1 },
      symbols: catalogue.instruments.map(({ symbol }) => symbol),
      nameOf: (publisher) => access.nameOf(publisher) ?? publisher,
    });
    const replica = new Replica(options, announcements);
    await replica.restore();
    return replica;
  }

  /** Restores everything from the store again. Returns the signal events in the store that the journal did not deliver. */
  async restore(): Promise<readonly JournalEvent[]> {
    const { catalogue, store } = this.#options;
    const { instruments } = catalogue;
    await catalogue.load();
    const restored = await restoreMarket({
      store: store.market,
      instruments,
      engine: new Engine(instruments),
      view: this.market,
      recorder: { keepBar: () => {} },
    });
    this.seq = restored?.seq ?? 0;
    this.storedUntil = restored?.until ?? 0;
    const newest = await store.news.newest(MAX_ITEMS_IN_MEMORY);
    const shown = newest.filter(({ item }) => item.source !== this.news.except);
    this.news.restore(
      shown.map(({ item }) => item),
      newest.length === MAX_ITEMS_IN_MEMORY,
    );
    await this.calendar.restore(this.#options.now());
    // Later records follow in the journal, because they are stored before they are published there. Track records may include
    // them already: they apply each record once, by its number.
    const [n] = await Promise.all([this.feed.restore(), this.trackRecords.restore()]);
    this.#deduplicator.newest = n;
    return this.events.catchUp(n);
  }

  /** Replaces events that were delivered before, for all readers of the batch. */
  deduplicate(batch: Batch): Batch {
    return this.#deduplicator.filter(batch);
  }

  /** `seq` of the last messages of each instrument below `before`, from the tape. */
  async lastSeqs(before: number): Promise<LastSeqs> {
    const { catalogue, store } = this.#options;
    const from = Math.max(0, ((await store.market.number('bars_until')) ?? 0) - LATE_WINDOW_MS);
    const lastSeqs = new Map(catalogue.instruments.map(({ symbol }) => [symbol, { market: 0, orderflow: 0 }]));
    const read = (blocks: readonly TapeBlock[]): void => {
      for (const block of blocks) {
        const last = lastSeqs.get(block.symbol);
        if (!last || block.firstSeq >= before) continue;
        for (const { seq, event, source } of ticksOf(block)) {
          if (seq >= before || source === IMPORTED) continue;
          if (event.kind === 'quote') last.market = Math.max(last.market, seq);
          else last.orderflow = Math.max(last.orderflow, seq);
        }
      }
    };
    read(await store.market.tape(from));
    // Instruments without recent events: look a day further back.
    for (const [symbol, { market, orderflow }] of lastSeqs)
      if (market === 0 || orderflow === 0) read(await store.market.tapeOf(symbol, Math.max(0, from - DAY_MS), from));
    return lastSeqs;
  }
}
