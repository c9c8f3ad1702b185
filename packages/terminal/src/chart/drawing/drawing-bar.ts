// A small bar over the chart while something is drawn or selected: what to do next, or colour, width, style and deletion.
import { make, makeButton } from '../../ui/dom/elements.ts';
import type { ChartHost, MenuItem } from '../frame/chart-part.ts';
import { LINE_COLORS } from '../layers/line-colors.ts';
import {
  COLOR_TEXT,
  COLORS,
  type ColorName,
  type Drawing,
  type DrawingStyle,
  LINE_STYLES,
  MAX_TEXT,
  nameOf,
  WIDTHS,
} from './drawing.ts';
import type { DrawingSettings } from './drawing-settings.ts';
import type { Placement } from './placement.ts';
import { toolName } from './tool-buttons.ts';

/** What the bar shows and changes. */
export interface BarTools {
  readonly placement: Placement | null;
  readonly selected: Drawing | null;
  readonly writing: boolean;
  readonly publish: ((drawing: Drawing) => void) | null;
  alertsOn(drawing: Drawing): readonly MenuItem[];
  cancel(): boolean;
  select(id: string | null): void;
  set(changes: Partial<DrawingSettings>): void;
  change(before: Drawing, after: Drawing): void;
  remove(drawing: Drawing): void;
  write(text: string): void;
}

const STYLE_TEXT: Readonly<Record<DrawingStyle, string>> = { solid: 'Solid', dashed: 'Dashed', dotted: 'Dotted' };

/** For a style sheet; those of the theme change with it. */
const colorValue = (color: ColorName): string =>
  color in LINE_COLORS ? LINE_COLORS[color as keyof typeof LINE_COLORS] : `var(--${color})`;

export class DrawingBar {
  readonly #element = make('div', { class: 'drawing-bar', role: 'toolbar', 'aria-label': 'Drawing' });
  readonly #host: ChartHost;
  readonly #tools: BarTools;
  /** What is shown, so that a change elsewhere does not take the focus away. */
  #shown = '';

  constructor(host: ChartHost, tools: BarTools) {
    this.#host = host;
    this.#tools = tools;
    this.#element.hidden = true;
    host.stage.append(this.#element);
    this.#element.addEventListener('keydown', (event) => this.#onKey(event), { signal: host.signal });
  }

  show(): void {
    const { placement, selected, writing } = this.#tools;
    const hasAlert = selected !== null && this.#tools.alertsOn(selected).length > 0;
    const state = placement
      ? `${placement.tool} ${placement.placed}`
      : writing
        ? 'text'
        : selected
          ? `${selected.id} ${nameOf(selected)} ${selected.color} ${selected.width} ${selected.style} ${hasAlert}`
          : '';
    if (state === this.#shown) return;
    const label = this.#element.contains(document.activeElement) && document.activeElement?.getAttribute('aria-label');
    this.#shown = state;
    this.#element.hidden = state === '';
    this.#element.replaceChildren(
      ...(placement
        ? this.#hint(placement)
        : writing
          ? [this.#form('')]
          : selected
            ? this.#controls(selected, hasAlert)
            : []),
    );
    if (writing) this.#element.querySelector('input')?.focus({ preventScroll: true });
    else if (label) this.#element.querySelector<HTMLElement>(`[aria-label="${label}"]`)?.focus({ preventScroll: true });
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    if (!this.#tools.cancel()) this.#tools.select(null);
    this.#host.surface.focus({ preventScroll: true });
  }

  #hint({ tool, placed, clicks }: Placement): readonly Node[] {
    const which = clicks === 1 ? 'where it should be' : `point ${placed + 1} of ${clicks}`;
    return [
      make('span', { role: 'status' }, `${toolName(tool)}: choose ${which}`),
      makeButton('Cancel', 'quiet drawing-action', () => this.#tools.cancel()),
    ];
  }

  #form(text: string): HTMLElement {
    const input = make('input', {
      'aria-label': 'Text',
      maxlength: MAX_TEXT,
      autocomplete: 'off',
      placeholder: 'Text',
    });
    input.value = text;
    const form = make('form', 'drawing-form', input, make('button', 'drawing-action plain', 'Save'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#tools.write(input.value);
    });
    return form;
  }

  #controls(drawing: Drawing, hasAlert: boolean): readonly Node[] {
    const { publish } = this.#tools;
    // The buttons stay while the drawing moves: each acts on the drawing as it is when it is pressed.
    const withSelected = (run: (now: Drawing) => void) => (): void => {
      const { selected } = this.#tools;
      if (selected) run(selected);
    };
    const change = (changes: Partial<Pick<Drawing, 'color' | 'width' | 'style'>>): void =>
      withSelected((now) => {
        this.#tools.set(changes);
        this.#tools.change(now, { ...now, ...changes });
      })();
    const choice = (name: string, of: string, value: string, pressed: boolean, act: () => void) => {
      const attributes = { 'aria-label': name, title: name, 'aria-pressed': String(pressed), [`data-${of}`]: '' };
      const button = makeButton('', { class: 'drawing-choice', ...attributes }, act);
      button.style.setProperty('--choice', value);
      return button;
    };
    const colors = COLORS.map((color) =>
      choice(COLOR_TEXT[color], 'color', colorValue(color), drawing.color === color, () => change({ color })),
    );
    const widths = WIDTHS.map((width) =>
      choice(`Width ${width}`, 'width', `${width}px`, drawing.width === width, () => change({ width })),
    );
    const styles = LINE_STYLES.map((style) =>
      choice(STYLE_TEXT[style], 'style', style, drawing.style === style, () => change({ style })),
    );
    const act = (text: string, run: (now: Drawing) => void): HTMLElement =>
      makeButton(text, 'quiet drawing-action', withSelected(run));
    return [
      make('span', 'drawing-name clip', nameOf(drawing)),
      make('span', { class: 'drawing-choices', role: 'group', 'aria-label': 'Colour' }, ...colors),
      make('span', { class: 'drawing-choices', role: 'group', 'aria-label': 'Width' }, ...widths),
      ...(drawing.kind === 'text'
        ? []
        : [make('span', { class: 'drawing-choices', role: 'group', 'aria-label': 'Line style' }, ...styles)]),
      ...(drawing.kind === 'text' ? [act('Edit', (now) => this.#edit(now))] : []),
      // The bar has room for one; a right click offers each line.
      ...(hasAlert ? [act('Alert…', (now) => this.#tools.alertsOn(now)[0]?.run())] : []),
      ...(drawing.kind === 'position' && publish ? [act('Publish this…', publish)] : []),
      act('Delete', (now) => {
        this.#tools.remove(now);
        this.#host.surface.focus({ preventScroll: true });
      }),
    ];
  }

  #edit({ text }: Drawing): void {
    this.#shown = 'edit';
    this.#element.replaceChildren(this.#form(text));
    this.#element.querySelector('input')?.select();
  }
}
