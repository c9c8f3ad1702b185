// The views of a gateway: built from the store, and kept up by the journal that the active ingest writes. What the store has
// is never ahead of the journal (an ingest stores what Redis has), so that the journal is read from where the store ends.
import type { OpenedRecord } from '@tickwire/contract';
import { Engine, type InstrumentSpec, LATE_WINDOW_MS, type MarketSymbol } from '@tickwire/engine';
import { ToldOnce } from '../cluster/told-once.ts';
import type { Batch, JournalEvent } from '../journal/journal.ts';
import { KEPT_ITEMS, NewsFeed } from '../news/news-feed.ts';
import { SIM_SOURCE } from '../news/sim/open.ts';
import { Announcements } from '../signals/announcements.ts';
import { recordOf } from '../signals/records.ts';
import { SignalFeed } from '../signals/signal-feed.ts';
import { TrackRecords } from '../signals/track-records.ts';
import { IMPORTED, recordsOf, restoreMarket } from '../store/restore.ts';
import type { Store, TapeBlock } from '../store/store.ts';
import { isAside } from '../store/tape-aside.ts';
import { MarketView } from '../views/market-view.ts';
import type { Access } from './access.ts';

const DAY_MS = 86_400_000;

export interface ViewsOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly store: Store;
  readonly access: Pick<Access, 'nameOf' | 'publisherOf'>;
  /** Invented news are shown. */
  readonly invented: boolean;
}

/** Of the last quote and the last trade; 0 where there was none lately. */
export interface LastSeqs {
  tick: number;
  flow: number;
}

export class Views {
  readonly market: MarketView;
  readonly feed: SignalFeed;
  readonly records: TrackRecords;
  readonly news: NewsFeed;
  readonly announcements: Announcements;
  /** The store has everything up to here. */
  seq = 0;
  readonly #options: ViewsOptions;
  readonly #told: ToldOnce;

  private constructor(options: ViewsOptions, announcements: Announcements) {
    const { instruments, store, access, invented } = options;
    this.#options = options;
    this.market = new MarketView(instruments);
    this.feed = new SignalFeed({ store: store.signals, ...access });
    this.records = new TrackRecords({ store: store.signals, ...access });
    this.news = new NewsFeed({ store: store.news, except: invented ? null : SIM_SOURCE });
    this.announcements = announcements;
    this.#told = new ToldOnce(announcements.newest);
  }

  /** There is a log of signals: the first ingest of a cluster begins it. */
  static async open(options: ViewsOptions): Promise<Views> {
    const { store, instruments, access } = options;
    const [opened] = await store.signals.log(-1, 1);
    const { log: name } = recordOf<OpenedRecord>(opened!);
    const tail = (await store.signals.tail())!;
    const announcements = await Announcements.open({
      store: store.signals,
      ledger: { name, length: tail.n + 1 },
      symbols: instruments.map(({ symbol }) => symbol),
      nameOf: (publisher) => access.nameOf(publisher) ?? publisher,
    });
    const views = new Views(options, announcements);
    await views.restore();
    return views;
  }

  /** Takes everything from the store again. Returns what the store has of signals that the journal has not told. */
  async restore(): Promise<readonly JournalEvent[]> {
    const { instruments, store } = this.#options;
    const restored = await restoreMarket({
      store: store.market,
      instruments,
      engine: new Engine(instruments),
      view: this.market,
      recorder: { keepBar: () => {} },
    });
    this.seq = restored?.seq ?? 0;
    const newest = await store.news.newest(KEPT_ITEMS);
    const shown = newest.filter(({ item }) => item.source !== this.news.except);
    this.news.restore(
      shown.map(({ item }) => item),
      newest.length === KEPT_ITEMS,
    );
    await this.#restoreSignals();
    return this.announcements.catchUp(this.#told.newest);
  }

  /** One batch of the journal, in the order in which a single process hands it on. Returns what is new of it. */
  read(batch: Batch): Batch {
    const news = this.#told.pass(batch);
    this.announcements.read(news);
    this.market.read(news);
    this.feed.read(news);
    this.records.read(news);
    this.news.read(news);
    return news;
  }

  /** The last numbers below `before` that were given to messages of each instrument, as the tape has them. */
  async lastSeqs(before: number): Promise<Map<MarketSymbol, LastSeqs>> {
    const { instruments, store } = this.#options;
    const from = Math.max(0, ((await store.market.number('bars_until')) ?? 0) - LATE_WINDOW_MS);
    const found = new Map(instruments.map(({ symbol }) => [symbol, { tick: 0, flow: 0 }]));
    const note = (blocks: readonly TapeBlock[]): void => {
      for (const block of blocks) {
        const last = found.get(block.symbol);
        if (!last || isAside(block) || block.firstSeq >= before) continue;
        for (const { seq, event, source } of recordsOf(block)) {
          if (seq >= before || source === IMPORTED) continue;
          if (event.kind === 'quote') last.tick = Math.max(last.tick, seq);
          else if (event.kind === 'trade') last.flow = Math.max(last.flow, seq);
        }
      }
    };
    note(await store.market.tape(from));
    // Who has been quiet for minutes spoke earlier.
    for (const [symbol, { tick, flow }] of found)
      if (tick === 0 || flow === 0) note(await store.market.tapeOf(symbol, Math.max(0, from - DAY_MS), from));
    return found;
  }

  /** Lists and track records of one moment: where a record was appended between the two, they are read again. */
  async #restoreSignals(): Promise<void> {
    const { signals } = this.#options.store;
    for (;;) {
      const before = (await signals.tail())!.n;
      await this.feed.restore();
      await this.records.restore();
      if ((await signals.tail())!.n !== before) continue;
      this.#told.newest = before;
      return;
    }
  }
}
