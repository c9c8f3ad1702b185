// A signal beside the chart before it is published: lines to drag, a form with the same levels, and the review.
import type { SignalRequest } from '@tickwire/client';
import { LineStyle } from 'lightweight-charts';
import type { SignalAttempt, SignalDraft } from '../../services/placed-forms.ts';
import { make, makeButton } from '../../ui/dom/elements.ts';
import { explain } from '../../ui/failure.ts';
import { currentPalette } from '../../ui/theme.ts';
import type { ChartHost, ChartPoint } from '../frame/chart-part.ts';
import type { PublishLevels } from '../frame/publish-levels.ts';
import type { Level } from '../layers/level-lines.ts';
import { DraggedLevels } from '../ticket/dragged-levels.ts';
import { SideTicket } from '../ticket/side-ticket.ts';
import { PublishForm } from './publish-form.ts';
import { atMarket, type LevelName, moveLevel, newLevels, ratioOf, ratioText } from './publish-levels.ts';

/** What a signal starts with. */
export interface PublishStart {
  readonly levels: PublishLevels;
  /** The entry follows the market until it is moved: a market order. */
  readonly isMarketOrder: boolean;
}

/**
 * At a price, with the levels of a drawn position, or without either at the market. The stop is an eighth of the pane away: a buy
 * below the market, a sell above it. `null` if there is no price yet.
 */
export function startOf(host: ChartHost, from: number | PublishLevels | null): PublishStart | null {
  if (from !== null && typeof from === 'object') return { levels: from, isMarketOrder: false };
  const market = host.market();
  const { ask = null } = (market && host.services.quotes.row(market.instrument.symbol)) ?? {};
  const last = ask ?? host.bars()?.candles.at(-1)?.close ?? null;
  const entry = from ?? last;
  const y = entry === null ? null : host.yOf(entry);
  if (!market || entry === null || y === null) return null;
  const sell = last !== null && entry > last;
  const away = (host.chart.panes()[0]?.getHeight() ?? 0) / 8;
  const stop = Number((host.prices.coordinateToPrice(sell ? y - away : y + away) ?? entry).toFixed(market.digits));
  if (stop === entry || stop <= 0) return null;
  return { levels: newLevels(entry, stop, market.digits), isMarketOrder: from === null };
}

export class PublishTicket {
  readonly #host: ChartHost;
  readonly #symbol: string;
  readonly #ticket: SideTicket;
  readonly #lines: DraggedLevels<LevelName>;
  readonly #form: PublishForm;
  #levels: PublishLevels;
  #isMarketOrder: boolean;
  /** While it is reviewed the levels cannot be changed. Removes the review. */
  #review: (() => void) | null = null;
  #attempt: SignalAttempt | null = null;
  /** Whether it waits for the response of the service. */
  #sending = false;
  #published = false;
  #closed = false;

  constructor(host: ChartHost, { levels, isMarketOrder }: PublishStart, onClose: () => void) {
    const { symbol } = host.market()!.instrument;
    this.#host = host;
    this.#symbol = symbol;
    this.#levels = levels;
    this.#isMarketOrder = isMarketOrder;
    this.#lines = new DraggedLevels(host, (name) => {
      const before = { levels: this.#levels, isMarketOrder: this.#isMarketOrder };
      return {
        // A target that is moved beyond another one takes its place, so every step starts from where the drag began.
        to: (price) => this.#change(moveLevel(before.levels, name, price, this.#digits), name),
        cancel: () => this.#set(before),
      };
    });
    this.#ticket = new SideTicket(host, {
      title: `${host.services.isReplay ? 'Practice' : 'Publish'} ${symbol}`,
      symbol,
      onQuote: () => this.#followMarket(),
      onEscape: () => this.#lines.cancel() || this.#sending || this.#back(),
      onClose: () => {
        this.#closed = true;
        this.#review?.();
        this.#lines.close();
        this.#form.close();
        onClose();
      },
    });
    this.#form = new PublishForm(host, this.#ticket.isBeside, {
      change: (change, name) => this.#change(change(this.#levels), name),
      setMarketOrder: (is) => this.#set({ levels: this.#levels, isMarketOrder: is }),
      review: () => void this.#openReview(),
      morePage: () => void this.#openPage(),
      cancel: () => this.close(),
    });
    this.#ticket.body.append(this.#form.element);
    this.#followMarket();
    this.#show();
    this.#form.focus();
    host.announce('Drag the lines on the chart, or enter prices. Then review the signal.');
  }

  close(): void {
    this.#ticket.close();
  }

  press(point: ChartPoint, event: MouseEvent | TouchEvent): boolean {
    return this.#review === null && this.#lines.press(point, event);
  }

  applyTheme(): void {
    this.#lines.show(this.#published ? [] : linesOf(this.#levels, this.#isMarketOrder));
  }

  get #digits(): number {
    return this.#host.market()?.digits ?? 2;
  }

  #change(levels: PublishLevels, name?: LevelName): void {
    this.#set({ levels, isMarketOrder: this.#isMarketOrder && name !== 'entry' });
  }

  #set({ levels, isMarketOrder }: PublishStart): void {
    this.#levels = levels;
    this.#isMarketOrder = isMarketOrder;
    this.#followMarket();
    this.#show();
  }

  #show(): void {
    this.applyTheme();
    this.#form.show(this.#levels, this.#digits, this.#isMarketOrder);
  }

  #followMarket(): void {
    if (!this.#isMarketOrder || this.#published || this.#closed) return;
    const row = this.#host.services.quotes.row(this.#symbol);
    if (!row || row.bid === null || row.ask === null) return;
    const next = atMarket(this.#levels, { bid: row.bid, ask: row.ask });
    if (next.entry === this.#levels.entry) return;
    this.#levels = next;
    this.#show();
  }

  get #draft(): SignalDraft {
    const { entry, ...levels } = this.#levels;
    return {
      symbol: this.#symbol,
      ...levels,
      ...(!this.#isMarketOrder && { entry }),
      texts: this.#form.texts(this.#isMarketOrder),
    };
  }

  async #openReview(): Promise<void> {
    if (this.#review) return;
    const { forms, notifier } = this.#host.services;
    const place = make('div', 'ticket-review');
    this.#review = () => place.remove();
    this.#form.element.hidden = true;
    this.#ticket.body.append(place);
    try {
      const end = { back: () => this.#back(), publish: (request: SignalRequest) => this.#publish(request) };
      this.#attempt ??= await forms.attempt();
      const remove = await forms.review(place, this.#draft, this.#attempt, end);
      if (this.#closed || this.#review === null) remove();
      else
        this.#review = () => {
          remove();
          place.remove();
        };
    } catch {
      notifier.show('The review could not be loaded. Try again.');
      this.#back();
    }
  }

  /** From the review to the form; false if the form is shown already. */
  #back(): boolean {
    const review = this.#review;
    if (!review) return false;
    this.#review = null;
    review();
    this.#form.element.hidden = false;
    this.#form.focus();
    return true;
  }

  async #openPage(): Promise<void> {
    const { forms, notifier } = this.#host.services;
    try {
      await forms.publishPage(this.#draft);
      this.close();
    } catch {
      notifier.show('The form could not be loaded. Try again.');
    }
  }

  /** The ticket may be closed meanwhile: then a notice says what became of the signal. */
  async #publish(request: SignalRequest): Promise<void> {
    const { notifier } = this.#host.services;
    const what = `${request.direction === 'buy' ? 'Buy' : 'Sell'} ${this.#symbol}`;
    this.#sending = true;
    try {
      const id = await this.#attempt!.publish(request);
      if (this.#closed) notifier.show(`${this.#done}: ${what}.`);
      else this.#showPublished(id, what);
    } catch (error) {
      if (this.#closed) notifier.show(`${what} was not confirmed. ${explain(error).general}`);
      throw error;
    } finally {
      this.#sending = false;
    }
  }

  get #done(): string {
    return this.#host.services.isReplay ? 'Practice signal' : 'Published';
  }

  #showPublished(id: string, what: string): void {
    this.#published = true;
    this.#review?.();
    this.#review = null;
    this.applyTheme();
    const link = make('a', { href: `/signals/${encodeURIComponent(id)}` }, 'Open the page of the signal');
    const done = makeButton('Done', 'primary ticket-choice', () => this.close());
    const { isReplay } = this.#host.services;
    this.#ticket.body.replaceChildren(
      make('p', { role: 'status' }, `${this.#done}: ${what}. It is drawn on the chart.`),
      ...(isReplay ? [] : [make('p', {}, link)]),
      done,
    );
    (isReplay ? done : link).focus({ preventScroll: true });
  }
}

/** Entry, stop and targets, each with its R. The entry comes first: at the same height another one is moved, since it moves all. */
function linesOf(levels: PublishLevels, isMarketOrder: boolean): readonly Level<LevelName>[] {
  const { entry, stop, targets, direction } = levels;
  const { accent, down, up } = currentPalette();
  const style = LineStyle.Solid;
  const side = `${direction === 'buy' ? 'Buy' : 'Sell'}${isMarketOrder ? ' at market' : ''}`;
  return [
    { id: 'entry', price: entry, title: side, color: accent, style: isMarketOrder ? LineStyle.Dashed : style },
    { id: 'stop', price: stop, title: `Stop ${ratioText(-1)}`, color: down, style },
    ...targets.map((price, at) => ({
      id: at,
      price,
      title: `Target${targets.length > 1 ? ` ${at + 1}` : ''} ${ratioText(ratioOf(levels, price))}`,
      color: up,
      style,
    })),
  ];
}
