// The chart of the selected instrument: holds what is shown, and turns pointer and wheel into pan, zoom and crosshair.
import type { Timeframe } from '@tickwire/client';
import { element, write } from '../elements.ts';
import { price, volume } from '../format.ts';
import { Surface } from '../surface.ts';
import { currentPalette, onThemeChange } from '../theme.ts';
import { type BarSeries, type Candle, TIMEFRAME_MS } from './bar-series.ts';
import { axisWidth, paintCandles, type Scene } from './paint-candles.ts';
import { fullTimeLabel } from './scales.ts';
import { Viewport } from './viewport.ts';

export class CandleChart {
  readonly #canvas = element('chart', HTMLCanvasElement);
  readonly #legend = element('legend', HTMLElement);
  readonly #message = element('chart-message', HTMLElement);
  readonly #view = new Viewport();
  readonly #surface: Surface;
  #candles: readonly Candle[] = [];
  #symbol = '';
  #timeframe: Timeframe = '1h';
  #digits = 2;
  #pointer: { x: number; y: number } | null = null;
  #axis = 64;

  constructor(signal: AbortSignal) {
    if (innerWidth < 700) this.#view.pixelsPerBar = 6;
    this.#surface = new Surface(this.#canvas, signal, (context, width, height) => {
      const scene = this.#scene();
      this.#axis = axisWidth(context, scene);
      paintCandles(context, width, height, scene);
      this.#showLegend();
    });
    onThemeChange(signal, () => this.#surface.redraw());
    this.#canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false, signal });
    this.#canvas.addEventListener('pointermove', (event) => this.#moved(event), { signal });
    this.#canvas.addEventListener('pointerdown', (event) => this.#canvas.setPointerCapture(event.pointerId), {
      signal,
    });
    this.#canvas.addEventListener('pointerleave', () => this.#point(null), { signal });
    this.#canvas.addEventListener('dblclick', () => this.#back(), { signal });
  }

  /** Another instrument or timeframe: what was shown no longer counts. */
  begin(symbol: string, timeframe: Timeframe, digits: number): void {
    this.#symbol = symbol;
    this.#timeframe = timeframe;
    this.#digits = digits;
    this.#candles = [];
    this.#view.follow();
    this.#canvas.setAttribute('aria-label', `Candle chart of ${symbol}, ${timeframe} bars`);
    this.say('Loading…');
    this.#surface.redraw();
  }

  show(series: BarSeries, digits: number): void {
    this.#candles = series.candles;
    this.#digits = digits;
    if (this.#candles.length > 0) this.say('');
    else this.say(`${this.#symbol} has no bars yet.`);
    this.#surface.redraw();
  }

  say(message: string): void {
    write(this.#message, message);
    this.#message.hidden = message === '';
  }

  get empty(): boolean {
    return this.#candles.length === 0;
  }

  #scene(): Scene {
    return {
      candles: this.#candles,
      digits: this.#digits,
      barMs: TIMEFRAME_MS[this.#timeframe],
      view: this.#view,
      pointer: this.#pointer,
      palette: currentPalette(),
    };
  }

  #showLegend(): void {
    const plotWidth = this.#canvas.clientWidth - this.#axis;
    const count = this.#candles.length;
    const at = this.#pointer ? this.#view.indexAt(this.#pointer.x, count, plotWidth) : count - 1;
    const candle = this.#candles[at];
    if (!candle) {
      write(this.#legend, '');
      return;
    }
    const figure = (value: number): string => price(value, this.#digits);
    const { time, open, high, low, close } = candle;
    const when = fullTimeLabel(time, TIMEFRAME_MS[this.#timeframe]);
    const text = `${when}   O ${figure(open)}  H ${figure(high)}  L ${figure(low)}  C ${figure(close)}  V ${volume(candle.volume)}`;
    write(this.#legend, text);
    this.#legend.dataset.sign = close >= open ? 'up' : 'down';
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.#view.pan(-event.deltaX, this.#candles.length);
    else this.#view.zoom(Math.exp(-event.deltaY / 600));
    this.#surface.redraw();
  }

  #moved(event: PointerEvent): void {
    if (event.buttons === 1) this.#view.pan(event.movementX, this.#candles.length);
    this.#point({ x: event.offsetX, y: event.offsetY });
  }

  #point(pointer: { x: number; y: number } | null): void {
    this.#pointer = pointer;
    this.#surface.redraw();
  }

  #back(): void {
    this.#view.follow();
    this.#surface.redraw();
  }
}
