// Active signals on the chart. Your own are drawn in full, or the one that is selected; all others are small markers at the price
// axis. One button hides them all.
import { LineStyle } from 'lightweight-charts';
import { pathOf } from '../ui/address.ts';
import { make, makeButton } from '../ui/dom/elements.ts';
import { price as priceText } from '../ui/format.ts';
import { currentPalette } from '../ui/theme.ts';
import type { ChartSignal } from './bars/bar-marks.ts';
import { iconButton, moveFocus, opensPanel, toggleButton } from './frame/chart-buttons.ts';
import { changeChoices, readChoices } from './frame/chart-choices.ts';
import type { ChartHost, ChartMarket, ChartPart } from './frame/chart-part.ts';
import type { Overlays } from './frame/overlays.ts';
import { LevelLines } from './layers/level-lines.ts';
import { SignalMarkers } from './signal-markers.ts';

/** Lines of more signals would hide the market. */
const MAX_SIGNALS = 3;
const MAX_NAME_LENGTH = 16;
const OWNER = 'signals';

export class SignalsPart implements ChartPart {
  readonly #host: ChartHost;
  readonly #levels: LevelLines<string>;
  readonly #markers: SignalMarkers;
  readonly #line = make('p', { class: 'chart-signal', role: 'status' });
  #isOn = readChoices(localStorage).signals;
  #symbol = '';
  #signals: readonly ChartSignal[] = [];
  #selected: string | null = null;

  constructor(host: ChartHost) {
    this.#host = host;
    this.#levels = new LevelLines(host.prices);
    this.#markers = new SignalMarkers({
      host,
      describe: (signal) => this.#describe(signal),
      onSelect: ({ id }) => this.#select(id),
    });
    host.addLegendLine(this.#line);
    const { button: toggle } = toggleButton('Signals', 'Active signals on the chart', this.#isOn, (isOn) => {
      this.#isOn = isOn;
      changeChoices({ signals: isOn });
      this.#showAll();
    });
    const list = iconButton('more', 'List of signals', () => {});
    opensPanel(list, { label: 'Signals', className: 'signal-list' }, (close) => this.#list(close));
    host.addTool(make('div', { class: 'timeframes chart-pair', role: 'group', 'aria-label': 'Signals' }, toggle, list));
    this.#showAll();
  }

  open({ instrument: { symbol } }: ChartMarket): void {
    if (symbol === this.#symbol) return;
    this.#symbol = symbol;
    this.#selected = null;
    this.#signals = [];
    this.#showAll();
  }

  show({ signals }: Overlays): void {
    if (signals === this.#signals) return;
    this.#signals = signals;
    this.#showAll();
  }

  applyTheme(): void {
    this.#showAll();
  }

  #isOwn({ user }: ChartSignal): boolean {
    return user === this.#host.services.session.account?.name;
  }

  #showAll(): void {
    const selected = this.#signals.find(({ id }) => id === this.#selected);
    const inFull = selected ? [selected] : this.#signals.filter((signal) => this.#isOwn(signal));
    const isOn = this.#isOn;
    const levels = isOn ? inFull.slice(0, MAX_SIGNALS).flatMap(levelsOf) : [];
    this.#levels.show(levels);
    // Names belong to the left edge: the library would write them over the newest bars.
    this.#host.labels.set(OWNER, levels);
    this.#markers.show(isOn ? this.#signals.filter((signal) => !inFull.includes(signal)) : []);
    this.#showLine(isOn ? selected : undefined);
  }

  /** The selected signal in words, with the way to its page. */
  #showLine(selected: ChartSignal | undefined): void {
    this.#line.hidden = !selected;
    if (!selected) {
      this.#line.replaceChildren();
      return;
    }
    const path = pathOf('signals', selected.id);
    // A practice signal has no page.
    const link = this.#host.services.isReplay ? '' : make('a', { href: path }, 'Open signal');
    const close = makeButton('✕', { class: 'chart-signal-close bare', 'aria-label': 'Deselect the signal' }, () =>
      this.#select(null),
    );
    this.#line.replaceChildren(make('span', {}, this.#describe(selected)), link, close);
  }

  #select(id: string | null): void {
    this.#selected = id;
    this.#showAll();
    if (id === null) this.#host.surface.focus({ preventScroll: true });
    else this.#line.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  }

  #describe({ user, direction, entry, stop_loss, take_profit }: ChartSignal): string {
    const digits = this.#host.market()?.digits ?? 2;
    const [from, stop, target] = [entry, stop_loss, take_profit].map((value) => priceText(value, digits));
    return `${user}: ${direction} at ${from}, stop ${stop}, target ${target}`;
  }

  #list(close: () => void): Node {
    if (this.#signals.length === 0) return make('p', 'popover-note', `No active signals of ${this.#symbol}.`);
    const buttons = this.#signals.map((signal) => {
      const isSelected = signal.id === this.#selected;
      const attributes = {
        class: 'chart-option',
        'aria-pressed': String(isSelected),
        'data-direction': signal.direction,
      };
      return makeButton(this.#describe(signal), attributes, () => {
        close();
        this.#select(isSelected ? null : signal.id);
      });
    });
    const list = make('div', 'chart-options', ...buttons);
    list.addEventListener('keydown', (event) => moveFocus(event, buttons));
    return list;
  }
}

const short = (name: string): string =>
  name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;

function levelsOf({ id, user, direction, entry, stop_loss, take_profit }: ChartSignal) {
  const { up, down, accent } = currentPalette();
  const isBuy = direction === 'buy';
  const text = `${isBuy ? '▲ Buy' : '▼ Sell'} · ${short(user)}`;
  return [
    { id, price: entry, color: isBuy ? up : down, style: LineStyle.Solid, text },
    { id, price: stop_loss, color: down, style: LineStyle.Dashed, text: 'Stop' },
    { id, price: take_profit, color: accent, style: LineStyle.Dashed, text: 'Target' },
  ];
}
