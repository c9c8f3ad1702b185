// Keys of the chart while something is drawn or selected: Escape cancels, Enter places or goes to the next handle, arrows move
// (with Shift ten times as far), Delete removes.
import { type Drawing, nameOf } from './drawing.ts';
import type { Pixel } from './geometry.ts';
import type { Tool } from './tool-buttons.ts';

export interface DrawingKeys {
  readonly tool: Tool | null;
  readonly selected: Drawing | null;
  /** -1 for the whole drawing. */
  readonly handle: number;
  cancel(): boolean;
  select(id: string | null): void;
  selectHandle(handle: number): void;
  placeInMiddle(): void;
  nudge(by: Pixel): void;
  remove(drawing: Drawing): void;
  announce(words: string): void;
}

const ARROWS: Readonly<Record<string, Pixel>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
const FAR = 10;

export function onDrawingKey(event: KeyboardEvent, tools: DrawingKeys): void {
  if (!act(event, tools)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function act(event: KeyboardEvent, tools: DrawingKeys): boolean {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (altKey || ctrlKey || metaKey) return false;
  const { selected } = tools;
  if (key === 'Escape' && tools.cancel()) return true;
  if (key === 'Enter' && tools.tool) {
    tools.placeInMiddle();
    return true;
  }
  if (!selected) return false;
  const arrow = Object.hasOwn(ARROWS, key) ? ARROWS[key] : undefined;
  const by = shiftKey ? FAR : 1;
  if (arrow) tools.nudge({ x: arrow.x * by, y: arrow.y * by });
  else if (key === 'Escape') tools.select(null);
  else if (key === 'Delete' || key === 'Backspace') tools.remove(selected);
  else if (key === 'Enter') nextHandle(tools, selected);
  else return false;
  return true;
}

function nextHandle(tools: DrawingKeys, drawing: Drawing): void {
  const next = tools.handle + 1 < drawing.points.length ? tools.handle + 1 : -1;
  tools.selectHandle(next);
  tools.announce(
    next < 0
      ? `${nameOf(drawing)}: arrow keys move the whole.`
      : `Point ${next + 1} of ${drawing.points.length} at ${drawing.points[next]!.price}: arrow keys move it.`,
  );
}
