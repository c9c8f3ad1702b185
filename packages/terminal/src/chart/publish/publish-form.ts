// The form of a signal beside the chart: direction, order, levels with their distances and R, presets, size and options.
import type { Instrument } from '@tickwire/client';
import type { PlacedForms, PlacedSize, SizedLevels } from '../../services/placed-forms.ts';
import { make, makeButton, write } from '../../ui/dom/elements.ts';
import { setNumber } from '../../ui/format.ts';
import { readPositive } from '../../ui/read-number.ts';
import type { ChartHost } from '../frame/chart-part.ts';
import type { PublishLevels } from '../frame/publish-levels.ts';
import { distanceText } from '../ticket/distance.ts';
import {
  flip,
  hasPreset,
  type LevelName,
  moveLevel,
  PRESETS,
  problemOf,
  ratioOf,
  ratioText,
  removeTarget,
  togglePreset,
  withRisk,
} from './publish-levels.ts';

/** Distances of the stop, in percent of the entry. */
const STOPS = [0.1, 0.25, 0.5, 1] as const;
const MAX_NOTE = 500;
/** The position size follows the entry of a market order this often; it asks the service. */
const RESIZE_MS = 5_000;

export interface FormActions {
  /** `name`: the level that was typed. */
  readonly change: (change: (levels: PublishLevels) => PublishLevels, name?: LevelName) => void;
  readonly setMarketOrder: (isMarketOrder: boolean) => void;
  readonly review: () => void;
  /** Opens the page with the whole form. */
  readonly morePage: () => void;
  readonly cancel: () => void;
}

export class PublishForm {
  readonly element: HTMLElement;
  readonly #instrument: Instrument;
  readonly #actions: FormActions;
  readonly #forms: PlacedForms;
  readonly #size = make('div');
  #shownSize: PlacedSize | null = null;
  #sized: SizedLevels | null = null;
  #sizedAt = 0;
  #closed = false;
  readonly #levels = make('div', 'publish-levels');
  readonly #directions: readonly HTMLButtonElement[];
  readonly #orders: readonly HTMLButtonElement[];
  readonly #presets: readonly HTMLButtonElement[];
  readonly #problem = make('p', { class: 'problem', role: 'status' });
  readonly #review: HTMLButtonElement;
  readonly #expiry = make('select', {});
  readonly #note = make('input', { maxlength: MAX_NOTE, autocomplete: 'off' });
  readonly #slippage = make('input', { inputmode: 'decimal', autocomplete: 'off', class: 'mono' });
  readonly #slippageField = field('Max slippage, in price units (optional)', this.#slippage);
  #digits = 2;
  /** The default expiry depends on the order. */
  #expiryOf: boolean | null = null;

  /** `isOpen`: the position size and the options are unfolded. */
  constructor(host: ChartHost, isOpen: boolean, actions: FormActions) {
    this.#instrument = host.market()!.instrument;
    this.#actions = actions;
    this.#forms = host.services.forms;
    // Without it, the rest of the form works.
    this.#loadSize().catch(() => {});
    const choice = (text: string, title: string, run: () => void): HTMLButtonElement =>
      makeButton(text, { class: 'timeframe ticket-choice', title }, run);
    this.#directions = ['Buy', 'Sell'].map((text, at) =>
      choice(text, text, () =>
        actions.change((levels) => ((levels.direction === 'buy') === (at === 0) ? levels : flip(levels, this.#digits))),
      ),
    );
    this.#orders = (
      [
        ['Market', 'Filled at the next quote'],
        ['At a price', 'A limit or stop order at the entry'],
      ] as const
    ).map(([text, title], at) => choice(text, title, () => actions.setMarketOrder(at === 0)));
    this.#presets = PRESETS.map((ratio) =>
      choice(`${ratio}R`, `Target at ${ratio} R`, () =>
        actions.change((levels) => togglePreset(levels, ratio, this.#digits)),
      ),
    );
    const stops = STOPS.map((by) => {
      const text = `${setNumber(String(by))}%`;
      return choice(text, `Stop ${text} from the entry`, () =>
        actions.change((levels) => withRisk(levels, (levels.entry * by) / 100, this.#digits)),
      );
    });
    this.#review = makeButton('Review', 'primary ticket-choice', actions.review);
    const size = make('details', {}, make('summary', {}, 'Position size'), this.#size);
    size.open = isOpen;
    this.element = make(
      'div',
      'publish-form',
      make('div', 'publish-row', group('Direction', this.#directions), group('Order', this.#orders)),
      this.#levels,
      presets('Targets at', this.#presets),
      presets('Stop at', stops),
      this.#problem,
      size,
      make(
        'details',
        {},
        make('summary', {}, 'Expiry, note and more'),
        field('Expires', this.#expiry),
        this.#slippageField,
        field('Note (optional)', this.#note),
        // The page publishes for good.
        ...(host.services.isReplay
          ? []
          : [makeButton('More targets, shares and breakeven…', 'linklike', actions.morePage)]),
      ),
      make('div', 'publish-row actions', this.#review, makeButton('Cancel', 'quiet ticket-choice', actions.cancel)),
    );
  }

  focus(): void {
    this.#directions[0]!.focus({ preventScroll: true });
  }

  show(levels: PublishLevels, digits: number, isMarketOrder: boolean): void {
    this.#digits = digits;
    const { direction, entry, stop, targets } = levels;
    press(this.#directions, (at) => (direction === 'buy') === (at === 0));
    press(this.#orders, (at) => isMarketOrder === (at === 0));
    press(this.#presets, (at) => hasPreset(levels, PRESETS[at]!));
    const from = (price: number): string => distanceText(entry, price, this.#instrument);
    const rows: readonly (readonly [LevelName, string, number, string])[] = [
      ['entry', 'Entry', entry, isMarketOrder ? `market order, at the ${direction === 'buy' ? 'ask' : 'bid'}` : ''],
      ['stop', 'Stop', stop, from(stop)],
      ...targets.map(
        (price, at) => [at, `Target ${at + 1}`, price, `${from(price)}, ${ratioText(ratioOf(levels, price))}`] as const,
      ),
    ];
    // Existing fields stay, and with them the focus.
    if (this.#levels.childElementCount !== rows.length)
      this.#levels.replaceChildren(...rows.map(([name, label]) => this.#row(name, label, targets.length > 1)));
    for (const [at, [, , price, text]] of rows.entries()) {
      const row = this.#levels.children[at]!;
      const input = row.querySelector('input')!;
      // What is being typed stays, such as while the entry of a market order follows the market.
      if (input !== document.activeElement || input.dataset.typed !== 'true') input.value = price.toFixed(digits);
      write(row.querySelector('.publish-distance')!, text);
    }
    const problem = problemOf(levels);
    write(this.#problem, problem);
    this.#review.disabled = problem !== '';
    this.#slippageField.hidden = !isMarketOrder;
    if (this.#expiryOf !== isMarketOrder) {
      this.#expiryOf = isMarketOrder;
      this.#loadExpiries(isMarketOrder).catch(() => {});
    }
    const isFollowing = isMarketOrder && stop === this.#sized?.stop && Date.now() - this.#sizedAt < RESIZE_MS;
    if (isFollowing) return;
    this.#sizedAt = Date.now();
    this.#sized = { symbol: this.#instrument.symbol, entry, stop };
    this.#shownSize?.show(this.#sized);
  }

  /** What was typed besides the levels, by the names of the fields of the publish page. */
  texts(isMarketOrder: boolean): Readonly<Record<string, string>> {
    const given = {
      expires_at: this.#expiry.value,
      note: this.#note.value.trim(),
      max_slippage: isMarketOrder ? this.#slippage.value.trim() : '',
    };
    return Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ''));
  }

  close(): void {
    this.#closed = true;
    this.#shownSize?.remove();
  }

  async #loadSize(): Promise<void> {
    const size = await this.#forms.size(this.#size);
    if (this.#closed) size.remove();
    else {
      this.#shownSize = size;
      if (this.#sized) size.show(this.#sized);
    }
  }

  async #loadExpiries(isMarketOrder: boolean): Promise<void> {
    const choices = await this.#forms.expiries(isMarketOrder);
    const { value } = this.#expiry;
    this.#expiry.replaceChildren(...choices.map((each) => make('option', { value: each.value }, each.text)));
    this.#expiry.value = value;
  }

  #row(name: LevelName, label: string, removable: boolean): HTMLElement {
    const input = make('input', { inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false', class: 'mono' });
    input.addEventListener('input', () => {
      input.dataset.typed = 'true';
    });
    input.addEventListener('change', () => {
      input.dataset.typed = '';
      this.#actions.change(
        (levels) => moveLevel(levels, name, readPositive(input.value) ?? currentOf(levels, name), this.#digits),
        name,
      );
    });
    // A text that is left as it was is no change, but no longer typed.
    input.addEventListener('blur', () => {
      input.dataset.typed = '';
    });
    const remove = makeButton('×', { class: 'quiet ticket-close', 'aria-label': `Remove ${label}` }, () => {
      this.#actions.change((levels) => removeTarget(levels, name as number));
      // The rows above are entry and stop.
      const previous = this.#levels.children[1 + Math.max(1, name as number)];
      previous?.querySelector('input')?.focus({ preventScroll: true });
    });
    return make(
      'div',
      'publish-level',
      make('label', {}, make('span', {}, label), input),
      ...(typeof name === 'number' && removable ? [remove] : []),
      make('span', 'publish-distance tiny muted'),
    );
  }
}

const group = (label: string, buttons: readonly HTMLElement[]): HTMLElement =>
  make('div', { class: 'timeframes', role: 'group', 'aria-label': label }, ...buttons);

const presets = (label: string, buttons: readonly HTMLElement[]): HTMLElement =>
  make('div', 'publish-presets', make('span', { class: 'muted', 'aria-hidden': 'true' }, label), group(label, buttons));

const field = (label: string, control: HTMLElement): HTMLElement =>
  make('label', 'ticket-field', make('span', {}, label), control);

function press(buttons: readonly HTMLButtonElement[], isPressed: (at: number) => boolean): void {
  for (const [at, button] of buttons.entries()) button.setAttribute('aria-pressed', String(isPressed(at)));
}

const currentOf = (levels: PublishLevels, name: LevelName): number =>
  typeof name === 'number' ? levels.targets[name]! : levels[name];
