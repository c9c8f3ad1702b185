// The picture of one signal: fetches the bars around it, and follows the market while the signal runs.
import type { OhlcvBar, SignalDetail } from '@tickwire/client';
import { box, make, write } from '../elements.ts';
import { explain } from '../forms/failure.ts';
import { historyEveryMs } from '../pace.ts';
import { preferences } from '../preferences.ts';
import { repeat } from '../repeat.ts';
import { Surface } from '../surface.ts';
import { currentPalette, onThemeChange } from '../theme.ts';
import type { Workspace } from '../workspace.ts';
import { exitSide } from './levels.ts';
import { paintPicture } from './paint-picture.ts';
import { type PictureWindow, pictureWindow } from './picture-window.ts';
import { digitsOf, wordOf } from './words.ts';

const MOST_BARS = 500;

export class SignalPicture {
  readonly element: HTMLElement;
  readonly #workspace: Workspace;
  readonly #surface: Surface;
  readonly #signal: SignalDetail;
  readonly #veil = make('p', 'veil', 'Loading…');
  readonly #end: AbortSignal;
  #window: PictureWindow;
  #bars: readonly OhlcvBar[] = [];

  constructor(workspace: Workspace, signal: SignalDetail, end: AbortSignal) {
    this.#workspace = workspace;
    this.#signal = signal;
    this.#end = end;
    this.#window = this.#frame();
    const canvas = make('canvas', '');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute(
      'aria-label',
      `Prices of ${signal.symbol} around this ${wordOf(signal.direction).toLowerCase()}, with its levels`,
    );
    this.element = box('div', 'signal-picture', canvas, this.#veil);
    this.#surface = new Surface(canvas, end, (context, width, height) => this.#paint(context, width, height));
    onThemeChange(end, () => this.#surface.redraw());
    preferences.onChange(end, () => this.#surface.redraw());
    if (signal.status === 'closed') void this.#load();
    else this.#followMarket();
  }

  #frame(): PictureWindow {
    const { timestamp } = this.#signal;
    const ended = this.#signal.status === 'closed' ? Date.parse(this.#signal.closed_at) : null;
    return pictureWindow(Date.parse(timestamp), ended, Date.now());
  }

  #followMarket(): void {
    const { board, allowance } = this.#workspace;
    board.onChange((changed) => {
      if (changed.has(this.#signal.symbol)) this.#surface.redraw();
    }, this.#end);
    const rounds = repeat(async () => {
      this.#window = this.#frame();
      await this.#load();
      return historyEveryMs(allowance());
    });
    this.#end.addEventListener('abort', () => rounds.stop());
  }

  async #load(): Promise<void> {
    const { timeframe, from, to } = this.#window;
    const { symbol } = this.#signal;
    try {
      const options = { timeframe, from, to, bars: MOST_BARS };
      const { ohlcv } = await this.#workspace.client.market(symbol, options, { signal: this.#end });
      this.#bars = ohlcv;
      this.#veil.hidden = ohlcv.length > 0;
      write(this.#veil, 'No prices are kept of that time.');
    } catch (error) {
      if (this.#end.aborted) return;
      if (this.#bars.length === 0) write(this.#veil, explain(error).general);
      this.#workspace.failed(error, 'Prices');
    }
    this.#surface.redraw();
  }

  #paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const signal = this.#signal;
    if (this.#bars.length === 0) return;
    const { board } = this.#workspace;
    const row = board.row(signal.symbol);
    const running = signal.status === 'active' && row && row.bid !== null && row.ask !== null;
    paintPicture(
      context,
      width,
      height,
      {
        levels: signal,
        digits: digitsOf(signal, board),
        bars: this.#bars,
        window: this.#window,
        start: Date.parse(signal.timestamp),
        filled:
          signal.filled_at === null || signal.entry_price === null
            ? null
            : { at: Date.parse(signal.filled_at), price: signal.entry_price },
        ended: signal.status === 'closed' ? { at: Date.parse(signal.closed_at), price: signal.exit_price } : null,
        last: running ? exitSide(signal, { bid: row.bid ?? 0, ask: row.ask ?? 0 }) : null,
      },
      currentPalette(),
    );
  }
}
