// Sentiment over the last day, week or month, of the categories and the instrument that the reader has chosen: a plot, what
// the cursor points at, the whole in a sentence, and the categories beside each other.
import { type NewsSentiment, TickwireError } from '@tickwire/client';
import { box, button, make, write } from '../elements.ts';
import { figure } from '../format.ts';
import { explain } from '../forms/failure.ts';
import { zoned } from '../moments.ts';
import { preferences } from '../preferences.ts';
import { repeat } from '../repeat.ts';
import { table } from '../table.ts';
import type { Workspace } from '../workspace.ts';
import type { NewsFilter } from './news-filter.ts';
import { SentimentPlot } from './sentiment-plot.ts';
import { type Stretch, stretchesOf, totalsOf } from './sentiment-series.ts';
import { capital, score } from './words.ts';

type Period = NewsSentiment['period'];

const PERIODS: readonly (readonly [Period, string, string])[] = [
  ['day', 'Day', 'the last 24 hours'],
  ['week', 'Week', 'the last 7 days'],
  ['month', 'Month', 'the last 30 days'],
];
const EVERY_MS = 60_000;

const minuteOf = zoned({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const hourOf = zoned({ hour: '2-digit', minute: '2-digit' });
const dateOf = zoned({ weekday: 'short', day: 'numeric', month: 'short' });

export class SentimentPanel {
  readonly element = make('details', 'news-panel');
  readonly #workspace: Workspace;
  readonly #periods: readonly (readonly [Period, HTMLButtonElement])[];
  readonly #plot: SentimentPlot;
  readonly #axis = make('div', 'plot-axis');
  readonly #readout = make('p', 'plot-readout');
  readonly #summary = make('p', 'hint');
  /** In a word, for who has the panel closed. */
  readonly #brief = make('span', 'news-brief');
  readonly #byCategory = make('div', '');
  readonly #sorry = make('p', 'empty-note');
  #period: Period = 'day';
  #filter: NewsFilter;
  #answer: NewsSentiment | null = null;
  #asked: AbortController | null = null;

  constructor(workspace: Workspace, signal: AbortSignal, filter: NewsFilter) {
    this.#workspace = workspace;
    this.#filter = filter;
    this.#plot = new SentimentPlot(
      (stretch) => this.#said(stretch),
      (stretch) => this.#read(stretch),
    );
    this.#periods = PERIODS.map(([period, label]) => [period, button(label, 'timeframe', () => this.#choose(period))]);
    const switches = box('fieldset', 'timeframes', ...this.#periods.map(([, made]) => made));
    switches.setAttribute('aria-label', 'Period');
    const head = box('summary', '', make('h2', '', 'Sentiment over time'), this.#brief);
    // On a phone the headlines come first.
    this.element.open = !matchMedia('(max-width: 860px)').matches;
    this.element.append(
      head,
      switches,
      this.#readout,
      this.#plot.element,
      this.#axis,
      this.#summary,
      this.#byCategory,
      this.#sorry,
    );
    this.#press();
    this.#render();
    const again = repeat(() => this.#load());
    signal.addEventListener('abort', () => {
      again.stop();
      this.#asked?.abort();
    });
    preferences.onChange(signal, () => this.#render());
  }

  show(filter: NewsFilter): void {
    const other = filter.symbol !== this.#filter.symbol;
    this.#filter = filter;
    if (other) this.#anew();
    else this.#render();
  }

  #choose(period: Period): void {
    if (period === this.#period) return;
    this.#period = period;
    this.#press();
    this.#anew();
  }

  #press(): void {
    for (const [period, made] of this.#periods) made.setAttribute('aria-pressed', String(period === this.#period));
  }

  /** What is shown belongs to another question. */
  #anew(): void {
    this.#answer = null;
    this.#render();
    void this.#load();
  }

  async #load(): Promise<number> {
    this.#asked?.abort();
    const asked = new AbortController();
    this.#asked = asked;
    const { symbol } = this.#filter;
    try {
      const answer = await this.#workspace.client.newsSentiment(
        { period: this.#period, ...(symbol !== null && { symbol }) },
        { signal: asked.signal },
      );
      if (asked.signal.aborted) return EVERY_MS;
      this.#answer = answer;
      this.#render();
    } catch (error) {
      if (asked.signal.aborted) return EVERY_MS;
      // What is there stays: it is a minute older than it could be.
      if (!this.#answer) write(this.#sorry, explain(error).general);
      this.#workspace.failed(error, 'Sentiment');
      if (error instanceof TickwireError && error.retryAfterSeconds !== null) return error.retryAfterSeconds * 1_000;
    }
    return EVERY_MS;
  }

  #render(): void {
    const answer = this.#answer;
    const { categories, symbol } = this.#filter;
    const stretches = answer ? stretchesOf(answer, categories) : [];
    this.#plot.show(stretches);
    this.#axis.replaceChildren(...ticks(stretches, this.#period).map((text) => make('span', '', text)));
    this.#read(null);
    write(this.#sorry, answer ? '' : 'Loading…');
    this.#sorry.hidden = answer !== null;
    if (!answer) {
      write(this.#summary, '');
      write(this.#brief, '');
      this.#byCategory.replaceChildren();
      return;
    }
    const { all, byCategory } = totalsOf(answer, categories);
    const over = PERIODS.find(([period]) => period === answer.period)?.[2] ?? '';
    const about = symbol === null ? '' : ` on ${symbol}`;
    write(this.#brief, `mean ${score(all.mean)}`);
    write(this.#summary, `Over ${over}${about}: ${counted(all)}.`);
    if (byCategory.length < 2) this.#byCategory.replaceChildren();
    else
      this.#byCategory.replaceChildren(
        table(
          'Sentiment by category',
          [
            { head: 'Category', cell: ({ category }) => capital(category) },
            { head: 'Bullish', cell: ({ bullish }) => figure(bullish), numeric: true },
            { head: 'Neutral', cell: ({ neutral }) => figure(neutral), numeric: true },
            { head: 'Bearish', cell: ({ bearish }) => figure(bearish), numeric: true },
            { head: 'Mean', cell: ({ mean }) => score(mean), numeric: true },
          ],
          byCategory,
          '',
        ),
      );
  }

  #read(stretch: Stretch | null): void {
    write(this.#readout, stretch ? this.#said(stretch) : 'Mean score of each stretch, and how many headlines it had');
    this.#readout.dataset.idle = String(stretch === null);
  }

  #said(stretch: Stretch): string {
    const length = (this.#answer?.stretch_seconds ?? 0) * 1_000;
    const end = stretch.time + length;
    const when =
      this.#period === 'month' ? `${minuteOf(stretch.time)}, 24 h` : `${minuteOf(stretch.time)} – ${hourOf(end)}`;
    return `${when}: ${counted(stretch)}`;
  }
}

function counted({ count, bullish, neutral, bearish, mean }: Omit<Stretch, 'time'>): string {
  if (count === 0) return 'no headlines';
  const items = count === 1 ? '1 headline' : `${figure(count)} headlines`;
  return `mean ${score(mean)} of ${items}, ${figure(bullish)} bullish, ${figure(neutral)} neutral, ${figure(bearish)} bearish`;
}

/** The beginning, the middle and the last stretch. */
function ticks(stretches: readonly Stretch[], period: Period): readonly string[] {
  const of = period === 'day' ? hourOf : dateOf;
  const [first, middle] = [stretches[0], stretches[Math.floor(stretches.length / 2)]];
  return first && middle ? [of(first.time), of(middle.time), 'now'] : [];
}
