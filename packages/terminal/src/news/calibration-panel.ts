// How the market moved after the news, as the service measures it in public: counts and the interval of each rate, and what
// it does not say.
import type { NewsCalibration, NewsCalibrationItem } from '@tickwire/client';
import { box, button, make } from '../elements.ts';
import { figure, setNumber } from '../format.ts';
import { dayOf } from '../moments.ts';
import { preferences } from '../preferences.ts';
import { Part } from '../settings/part.ts';
import { table } from '../table.ts';
import type { Workspace } from '../workspace.ts';
import type { NewsFilter } from './news-filter.ts';
import { ARROW, capital, LABEL, score } from './words.ts';

const HORIZONS = [
  [15, '15 min'],
  [60, '1 h'],
  [240, '4 h'],
] as const;
type Horizon = NewsCalibrationItem['horizon_minutes'];

export class CalibrationPanel {
  readonly element = make('details', 'news-panel');
  readonly #body = make('div', 'part');
  readonly #horizons: readonly (readonly [Horizon, HTMLButtonElement])[];
  #answer: NewsCalibration | null = null;
  #horizon: Horizon = 60;
  #filter: NewsFilter;

  constructor(workspace: Workspace, signal: AbortSignal, filter: NewsFilter) {
    this.#filter = filter;
    this.#horizons = HORIZONS.map(([horizon, label]) => [
      horizon,
      button(label, 'timeframe', () => {
        this.#horizon = horizon;
        this.#render();
      }),
    ]);
    const summary = box('summary', '', make('h2', '', 'How the market moved afterwards'));
    this.element.append(summary, this.#body);
    preferences.onChange(signal, () => this.#answer && this.#render());
    // Asked for when somebody looks.
    this.element.addEventListener(
      'toggle',
      () => {
        if (!this.element.open || this.#answer) return;
        const part = new Part(
          async () => {
            this.#answer = await workspace.client.newsCalibration({ signal });
            this.#render();
            return [];
          },
          (error) => workspace.signedOut(error),
        );
        this.#body.replaceChildren(part.element);
      },
      { signal },
    );
  }

  show(filter: NewsFilter): void {
    this.#filter = filter;
    if (this.#answer) this.#render();
  }

  #render(): void {
    const { categories } = this.#filter;
    const { items, since } = this.#answer!;
    for (const [horizon, made] of this.#horizons) made.setAttribute('aria-pressed', String(horizon === this.#horizon));
    const rows = items.filter(
      ({ horizon_minutes, category, items: count }) =>
        count > 0 && horizon_minutes === this.#horizon && (categories.length === 0 || categories.includes(category)),
    );
    const models = new Set(rows.map(({ model }) => model));
    const switches = box('fieldset', 'timeframes', ...this.#horizons.map(([, made]) => made));
    switches.setAttribute('aria-label', 'Time after the news');
    const from = since === null ? '' : ` Measured since ${dayOf(Date.parse(since))}.`;
    this.#body.replaceChildren(
      switches,
      table(
        'How the market moved after the news',
        [
          { head: 'News', cell: (row) => named(row, models.size > 1) },
          { head: 'Items', cell: ({ items: count }) => figure(count), numeric: true },
          { head: 'As it said', cell: rate, numeric: true },
          { head: 'Mean move', cell: ({ average_move_percent: move }) => moved(move), numeric: true },
        ],
        rows,
        'Nothing was measured yet: a headline counts once this time has passed after it and the market was open.',
      ),
      make(
        'p',
        'hint',
        'As it said: up after bullish, down after bearish, less than usual after neutral. In brackets where the true rate lies ' +
          `with a confidence of 95%; a wide span means too few to tell.${from} It does not say that the news moved the market, and ` +
          'headlines on one event are not independent of each other.',
      ),
    );
  }
}

function named({ category, sentiment, model }: NewsCalibrationItem, withModel: boolean): Node {
  const arrow = make('i', `arrow ${sentiment}`, `${ARROW[sentiment]} `);
  arrow.setAttribute('aria-hidden', 'true');
  const text = `${capital(category)}, ${LABEL[sentiment].toLowerCase()}`;
  return box('span', '', arrow, text, ...(withModel ? [make('span', 'hint', ` ${model}`)] : []));
}

const whole = (fraction: number): string => String(Math.round(fraction * 100));

function rate({ hit_rate, hit_rate_low, hit_rate_high }: NewsCalibrationItem): string {
  if (hit_rate === null || hit_rate_low === null || hit_rate_high === null) return '–';
  return `${whole(hit_rate)}% (${whole(hit_rate_low)}–${whole(hit_rate_high)})`;
}

const moved = (percent: number | null): string =>
  percent === null ? '–' : `${percent === 0 ? setNumber('0.000') : movedText(percent)}%`;
/** Moves within minutes are small: three decimals. */
function movedText(percent: number): string {
  const size = setNumber(Math.abs(percent).toFixed(3));
  return /[1-9]/.test(size) ? `${score(Math.sign(percent)).charAt(0)}${size}` : size;
}
