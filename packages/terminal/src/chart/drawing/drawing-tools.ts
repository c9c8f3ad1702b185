// The drawings of a chart: what is placed, selected, dragged and measured, by mouse, finger and keyboard.
import type { ChartHost, ChartMarket, ChartPoint, MenuItem } from '../frame/chart-part.ts';
import { listenToMoves } from '../frame/pointer-moves.ts';
import { Drag } from './drag.ts';
import { type Anchor, type Drawing, levelsOf, MAX_DRAWINGS, nameOf, withPoint } from './drawing.ts';
import { alertsOn } from './drawing-alert.ts';
import { DrawingBar } from './drawing-bar.ts';
import { type DrawingKeys, onDrawingKey } from './drawing-keys.ts';
import { DrawingLayer } from './drawing-layer.ts';
import { labelsOf, pick, type SceneState, shapesOf } from './drawing-scene.ts';
import { type DrawingSettings, readSettings, storeSettings } from './drawing-settings.ts';
import { DrawingView } from './drawing-view.ts';
import type { Pixel } from './geometry.ts';
import { REACH, REACH_OF_FINGER } from './hit.ts';
import { type NewDrawing, OpenDrawings } from './open-drawings.ts';
import { Placement } from './placement.ts';
import type { Figure } from './shape.ts';
import { type Tool, toolName } from './tool-buttons.ts';

export class DrawingTools implements DrawingKeys {
  readonly #host: ChartHost;
  readonly #view: DrawingView;
  readonly #layer: DrawingLayer;
  readonly #bar: DrawingBar;
  readonly #open: OpenDrawings;
  #settings = readSettings(localStorage);
  #placement: Placement | null = null;
  #measured: Figure | null = null;
  /** Where a text is about to be written. */
  #textAt: Anchor | null = null;
  #selected: string | null = null;
  #handle = -1;
  #drag: Drag | null = null;
  readonly #onChange: () => void;

  /** `onChange`: tools, settings, selection or drawings have changed. */
  constructor(host: ChartHost, onChange: () => void) {
    this.#host = host;
    this.#onChange = onChange;
    this.#view = new DrawingView(host);
    this.#layer = new DrawingLayer({
      shapes: () => shapesOf(this.#scene, this.#view),
      labels: () => labelsOf(this.#scene, this.#view),
    });
    host.prices.attachPrimitive(this.#layer);
    this.#bar = new DrawingBar(host, this);
    this.#open = new OpenDrawings(host, () => this.update());
    const { surface, signal } = host;
    listenToMoves(surface, signal, {
      move: (at, over) => this.#move(at, over),
      release: (keep) => (keep ? this.#release() : this.#letGo()),
    });
    surface.addEventListener('keydown', (event) => onDrawingKey(event, this), { signal, capture: true });
  }

  get settings(): DrawingSettings {
    return this.#settings;
  }

  get tool(): Tool | null {
    return this.#placement?.tool ?? null;
  }

  get placement(): Placement | null {
    return this.#placement;
  }

  /** Whether the bar asks for a text. */
  get writing(): boolean {
    return this.#textAt !== null;
  }

  get drawings(): readonly Drawing[] {
    return this.#open.all;
  }

  get selected(): Drawing | null {
    return this.#open.find(this.#selected);
  }

  get handle(): number {
    return this.#handle;
  }

  get symbol(): string {
    return this.#open.symbol;
  }

  open({ instrument: { symbol } }: ChartMarket): void {
    if (symbol === this.symbol) return;
    this.cancel();
    this.#selected = null;
    this.#open.open(symbol);
    this.update();
  }

  set(changes: Partial<DrawingSettings>): void {
    this.#settings = { ...this.#settings, ...changes };
    storeSettings(localStorage, this.#settings);
    if (this.#settings.locked || this.#settings.hidden) this.#selected = null;
    this.update();
  }

  /** Starts placing. */
  choose(tool: Tool): void {
    this.cancel();
    this.#selected = null;
    const { notifier } = this.#host.services;
    if (tool !== 'measure' && this.drawings.length >= MAX_DRAWINGS)
      notifier.show(`${this.symbol} has ${MAX_DRAWINGS} drawings, which is the maximum. Delete some first.`);
    else {
      this.#placement = new Placement(tool);
      if (this.#settings.hidden) this.set({ hidden: false });
      this.#host.announce(`${toolName(tool)}: press Enter to place it in the middle of the chart, Escape to cancel.`);
    }
    this.update();
    this.#host.surface.focus({ preventScroll: true });
  }

  select(id: string | null): void {
    this.#selected = id;
    this.#handle = -1;
    this.update();
  }

  selectHandle(handle: number): void {
    this.#handle = handle;
    this.update();
  }

  /** Ends what is being placed, measured, written or dragged. False if there is nothing. */
  cancel(): boolean {
    const busy = this.#placement ?? this.#measured ?? this.#textAt ?? this.#drag;
    this.#placement = null;
    this.#measured = null;
    this.#textAt = null;
    this.#drag = null;
    if (busy) this.update();
    return busy !== null;
  }

  announce(words: string): void {
    this.#host.announce(words);
  }

  placeInMiddle(): void {
    if (this.#placement?.placeInMiddle(this.#view, this.#settings.magnet)) this.#finishPlacement();
  }

  /** Moves the selected drawing or its selected handle by pixels. */
  nudge(by: Pixel): void {
    const before = this.selected;
    if (!before || this.#settings.locked) return;
    const whole = this.#view.shifted(before, by);
    this.change(before, this.#handle < 0 ? whole : withPoint(before, this.#handle, whole.points[this.#handle]!));
  }

  add(drawing: Pick<NewDrawing, 'kind' | 'points'> & { readonly text?: string }): void {
    const { color, width, style } = this.#settings;
    const added = this.#open.add({ text: '', color, width, style, ...drawing });
    if (!added) return;
    this.select(added.id);
    this.announce(`${nameOf(added)} drawn.`);
  }

  change(before: Drawing, after: Drawing): void {
    this.#open.change(before, after);
  }

  remove(...drawings: readonly Drawing[]): void {
    this.#open.remove(drawings);
    this.announce(drawings.length === 1 ? `${nameOf(drawings[0]!)} deleted.` : `${drawings.length} drawings deleted.`);
    this.select(null);
  }

  /** Text of the place that was clicked, or of the selected drawing. '' cancels. */
  write(text: string): void {
    const [at, selected] = [this.#textAt, this.selected];
    this.#textAt = null;
    if (text.trim() === '') this.update();
    else if (at) this.add({ kind: 'text', points: [at], text });
    else if (selected) this.change(selected, { ...selected, text });
    this.#host.surface.focus({ preventScroll: true });
  }

  /** Opens the ticket on the chart with the levels of a position; `null` for those who may not publish signals. */
  get publish(): ((drawing: Drawing) => void) | null {
    const host = this.#host;
    if (!host.mayPublish) return null;
    return (drawing) => {
      this.select(null);
      host.publishHere(levelsOf(drawing));
    };
  }

  /** What opens the form of an alert on a drawing, one for each of its lines; none for a drawing without a price. */
  alertsOn(drawing: Drawing): readonly MenuItem[] {
    const host = this.#host;
    return alertsOn(drawing, this.#view.drawnOn).map(({ name, start }) => ({
      text: `Alert on ${name.charAt(0).toLowerCase()}${name.slice(1)}…`,
      run: () => host.alertHere(start),
    }));
  }

  press({ x, y }: ChartPoint, event: MouseEvent | TouchEvent): boolean {
    if (x > this.#view.width || this.symbol === '') return false;
    const byFinger = 'touches' in event;
    if (this.#measured) this.cancel();
    if (this.#placement) {
      const anchor = this.#view.anchorAt({ x, y }, this.#settings.magnet);
      if (anchor) this.#placement.press({ x, y }, anchor);
      this.update();
      return true;
    }
    const found = this.#settings.locked ? null : this.#at({ x, y }, byFinger);
    if (!found) {
      if (this.#selected !== null) this.select(null);
      return false;
    }
    this.select(found.drawing.id);
    this.#drag = new Drag(found.drawing, found.handle, { x, y });
    return true;
  }

  menu({ x, y }: ChartPoint): readonly MenuItem[] {
    const found = this.#at({ x, y }, false);
    if (!found) return [];
    const { drawing } = found;
    const { publish } = this;
    return [
      ...this.alertsOn(drawing),
      { text: `Delete ${nameOf(drawing)}`, run: () => this.remove(drawing) },
      ...(drawing.kind === 'position' && publish ? [{ text: 'Publish this…', run: () => publish(drawing) }] : []),
    ];
  }

  applyTheme(): void {
    this.update();
  }

  update(): void {
    this.#layer.requestUpdate();
    this.#bar.show();
    const { dataset } = this.#host.surface;
    dataset.drawing = this.#placement ? 'placing' : this.#drag ? 'dragging' : '';
    this.#onChange();
  }

  get #scene(): SceneState {
    return {
      settings: this.#settings,
      drawings: this.drawings,
      selectedId: this.#selected,
      handle: this.#handle,
      dragged: this.#drag?.now ?? null,
      placement: this.#placement,
      measured: this.#measured,
    };
  }

  #at(at: Pixel, byFinger: boolean): ReturnType<typeof pick> {
    return pick(this.#scene, this.#view, at, byFinger ? REACH_OF_FINGER : REACH);
  }

  #move(at: Pixel, over: EventTarget | null): void {
    const { surface } = this.#host;
    const [drag, placement] = [this.#drag, this.#placement];
    if (placement) {
      const anchor = this.#view.anchorAt(at, this.#settings.magnet);
      if (anchor) placement.move(at, anchor);
      this.#layer.requestUpdate();
    } else if (drag) {
      drag.move(at, this.#view, this.#settings.magnet);
      if (drag.moved) this.#layer.requestUpdate();
    } else if (over instanceof Node && surface.contains(over)) {
      const found = !this.#settings.locked && at.x <= this.#view.width && this.#at(at, false);
      surface.dataset.drawing = found ? 'over' : '';
    }
  }

  #release(): void {
    const drag = this.#drag;
    this.#drag = null;
    if (drag?.moved) this.change(drag.before, drag.now);
    if (!this.#placement) return;
    this.#placement.release();
    if (this.#placement.complete) this.#finishPlacement();
    this.update();
  }

  #letGo(): void {
    this.#drag = null;
    this.#placement?.letGo();
    this.update();
  }

  #finishPlacement(): void {
    const { tool, points } = this.#placement!;
    this.#placement = null;
    if (tool === 'measure')
      this.#measured = { kind: tool, points, color: 'accent', width: 1, style: 'solid', text: '' };
    else if (tool === 'text') this.#textAt = points[0]!;
    else if (tool === 'long' || tool === 'short') {
      const position = this.#view.positionFrom(points[0]!, tool === 'long' ? 1 : -1);
      if (position) this.add({ kind: 'position', points: position });
    } else this.add({ kind: tool, points });
    this.update();
  }
}
