// Undo and redo of what was changed on the chart, by buttons and by Ctrl+Z and Ctrl+Shift+Z. Of several charts on a page, the one
// that was used last takes the keys.
import { effect } from '@preact/signals';
import { make } from '../ui/dom/elements.ts';
import { isField } from '../ui/keyboard.ts';
import { iconButton } from './frame/chart-buttons.ts';
import type { ChartHost, ChartPart } from './frame/chart-part.ts';

let lastUsed: ChartHost | null = null;

export function newUndo(host: ChartHost): ChartPart {
  const { undo, signal, stage } = host;
  const undoButton = iconButton('undo', 'Undo', () => undo.undo());
  const redoButton = iconButton('redo', 'Redo', () => undo.redo());
  const end = effect(() => {
    undoButton.disabled = !undo.canUndo.value;
    redoButton.disabled = !undo.canRedo.value;
  });
  // What follows is at the right end, too.
  host.addTool(make('div', 'timeframes chart-pair chart-end', undoButton, redoButton));
  const panel = (): Element | null => stage.parentElement;
  const use = ({ target }: Event): void => {
    if (target instanceof Node && panel()?.contains(target)) lastUsed = host;
  };
  lastUsed ??= host;
  for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, use, { signal, capture: true });
  document.addEventListener(
    'keydown',
    (event) => {
      const { ctrlKey, metaKey, altKey, shiftKey, target } = event;
      const key = event.key.toLowerCase();
      if (!(ctrlKey || metaKey) || altKey || lastUsed !== host || isField(target)) return;
      if (document.querySelector('dialog[open]') || event.defaultPrevented) return;
      if (key === 'z' && !shiftKey) undo.undo();
      else if ((key === 'z' && shiftKey) || key === 'y') undo.redo();
      else return;
      event.preventDefault();
    },
    { signal },
  );
  signal.addEventListener('abort', () => {
    end();
    if (lastUsed === host) lastUsed = null;
  });
  return {};
}
