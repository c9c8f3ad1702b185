// The button that starts a replay. Its panel is loaded when the button is pressed.
import { makeButton } from '../ui/dom/elements.ts';
import { barAt } from './bars/bar-marks.ts';
import type { ChartHost, ChartPart } from './frame/chart-part.ts';

export function newReplay(host: ChartHost): ChartPart {
  const { open } = host.services.replay;
  if (!open) return {};
  let onBar: ((timeMs: number) => void) | null = null;
  const pick = (next: typeof onBar): void => {
    onBar = next;
  };
  const { signal, note } = host;
  const attributes = { class: 'timeframe chart-choice', title: 'Replay the past', 'aria-haspopup': 'dialog' };
  const button = makeButton('Replay', attributes, () => open(button, { signal, note, pick }));
  host.addTool(button);
  return {
    // A press chooses a bar, whatever is drawn there.
    get onTop() {
      return onBar !== null;
    },
    press: ({ time }) => {
      const bars = host.bars();
      if (!onBar || !bars) return false;
      const chosen = onBar;
      onBar = null;
      chosen(bars.candles[barAt(bars.candles, time, bars.intervalMs)]?.time ?? time);
      return true;
    },
  };
}
