// A small bar over the chart while something is drawn or selected: what to do next, or colour, width and deletion.
import { make, makeButton } from '../../ui/dom/elements.ts';
import type { ChartHost } from '../frame/chart-part.ts';
import { COLOR_TEXT, COLORS, type Drawing, MAX_TEXT, nameOf, toolName, WIDTHS } from './drawing.ts';
import type { DrawingSettings } from './drawing-settings.ts';
import type { Placement } from './placement.ts';

/** What the bar shows and changes. */
export interface BarTools {
  readonly placement: Placement | null;
  readonly selected: Drawing | null;
  readonly writing: boolean;
  readonly publish: ((drawing: Drawing) => void) | null;
  cancel(): boolean;
  select(id: string | null): void;
  set(changes: Partial<DrawingSettings>): void;
  change(before: Drawing, after: Drawing): void;
  remove(drawing: Drawing): void;
  write(text: string): void;
}

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
    const state = placement
      ? `${placement.tool} ${placement.placed}`
      : writing
        ? 'text'
        : selected
          ? `${selected.id} ${nameOf(selected)} ${selected.color} ${selected.width}`
          : '';
    if (state === this.#shown) return;
    const label = this.#element.contains(document.activeElement) && document.activeElement?.getAttribute('aria-label');
    this.#shown = state;
    this.#element.hidden = state === '';
    this.#element.replaceChildren(
      ...(placement ? this.#hint(placement) : writing ? [this.#form('')] : selected ? this.#controls(selected) : []),
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

  #controls(drawing: Drawing): readonly Node[] {
    const { publish } = this.#tools;
    const change = (changes: Partial<Pick<Drawing, 'color' | 'width'>>): void => {
      this.#tools.set(changes);
      this.#tools.change(drawing, { ...drawing, ...changes });
    };
    const choice = (name: string, attributes: Readonly<Record<string, string>>, pressed: boolean, act: () => void) =>
      makeButton(
        '',
        { class: 'drawing-choice', 'aria-label': name, title: name, 'aria-pressed': String(pressed), ...attributes },
        act,
      );
    const colors = COLORS.map((color) =>
      choice(COLOR_TEXT[color], { 'data-color': color }, drawing.color === color, () => change({ color })),
    );
    const widths = WIDTHS.map((width) =>
      choice(`Width ${width}`, { 'data-width': String(width) }, drawing.width === width, () => change({ width })),
    );
    const act = (text: string, run: () => void): HTMLElement => makeButton(text, 'quiet drawing-action', run);
    return [
      make('span', 'drawing-name clip', nameOf(drawing)),
      make('span', { class: 'drawing-choices', role: 'group', 'aria-label': 'Colour' }, ...colors),
      make('span', { class: 'drawing-choices', role: 'group', 'aria-label': 'Width' }, ...widths),
      ...(drawing.kind === 'text' ? [act('Edit', () => this.#edit(drawing))] : []),
      ...(drawing.kind === 'position' && publish ? [act('Publish this…', () => publish(drawing))] : []),
      act('Delete', () => {
        this.#tools.remove(drawing);
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
