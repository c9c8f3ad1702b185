// The chart as an image: the drawing below a heading, which says what a reader of the image cannot ask for any more.
import { DAY_MS } from '@tickwire/contract/durations.ts';
import { preferences } from '../../ui/preferences.ts';
import { exactly } from '../../ui/relative-time.ts';
import { currentPalette } from '../../ui/theme.ts';

/** Heights of the lines of the heading, in pixels. */
const [FIRST, NEXT] = [32, 18];
const MARGIN = 10;
const GAP = 12;
const SIMULATED = 'SIMULATED';

export interface ImageHeading {
  readonly title: string;
  /** Indicators and compared instruments. */
  readonly titles: readonly string[];
  readonly times: string;
  readonly simulated: boolean;
}

/** When the image was made, and the time zone of its axis. Daily bars are UTC days. */
export function timesText(now: number, intervalMs: number): string {
  const own = preferences.choices.timeZone || new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return `${exactly(now)} · times in ${intervalMs >= DAY_MS ? 'UTC' : own}`;
}

/** As many texts in a line as fit; a text that is wider than a line has one of its own. */
export function linesOf(texts: readonly string[], room: number, widthOf: (text: string) => number): readonly string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const longer = lines.length === 0 ? null : `${lines.at(-1)} · ${text}`;
    if (longer !== null && widthOf(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(text);
  }
  return lines;
}

export function chartImage(drawing: HTMLCanvasElement, heading: ImageHeading): HTMLCanvasElement {
  const ratio = window.devicePixelRatio || 1;
  const { panel, text, muted, notice, fontFamily } = currentPalette();
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d')!;
  const width = drawing.width / ratio;
  context.font = `12px ${fontFamily}`;
  const widthOf = (each: string): number => context.measureText(each).width;
  const lines = linesOf([...heading.titles, heading.times], width - 2 * MARGIN, widthOf);
  const height = FIRST + lines.length * NEXT;
  canvas.width = drawing.width;
  canvas.height = drawing.height + Math.round(height * ratio);
  context.fillStyle = panel;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(drawing, 0, Math.round(height * ratio));
  context.scale(ratio, ratio);
  context.textBaseline = 'middle';
  const write = (words: string, color: string, x: number, y: number): void => {
    context.fillStyle = color;
    context.fillText(words, x, y);
  };
  context.font = `600 14px ${fontFamily}`;
  write(heading.title, text, MARGIN, FIRST / 2);
  if (heading.simulated) write(SIMULATED, notice, MARGIN + GAP + widthOf(heading.title), FIRST / 2);
  // A new size of the canvas has reset the font.
  context.font = `12px ${fontFamily}`;
  for (const [at, line] of lines.entries()) write(line, muted, MARGIN, FIRST + at * NEXT + NEXT / 2 - 4);
  context.textAlign = 'right';
  write('Tickwire', muted, width - MARGIN, FIRST / 2);
  return canvas;
}
