// Everything that is drawn: the stored drawings, the one being placed or dragged, and the measurement.
import type { Drawing } from './drawing.ts';
import type { AxisLabel, DrawnShape } from './drawing-layer.ts';
import type { DrawingSettings } from './drawing-settings.ts';
import type { Pixel } from './geometry.ts';
import { hit } from './hit.ts';
import type { Placement } from './placement.ts';
import { type Figure, type ShapeView, shapeOf } from './shape.ts';

export interface SceneState {
  readonly settings: DrawingSettings;
  readonly drawings: readonly Drawing[];
  readonly selectedId: string | null;
  /** Number of the handle that the keyboard moves; -1 for none. */
  readonly handle: number;
  /** The selected drawing as it is dragged. */
  readonly dragged: Drawing | null;
  readonly placement: Placement | null;
  readonly measured: Figure | null;
}

const shownOf = ({ settings, drawings, dragged }: SceneState): readonly Drawing[] =>
  settings.hidden ? [] : drawings.map((each) => (dragged && each.id === dragged.id ? dragged : each));

export function shapesOf(state: SceneState, view: ShapeView): readonly DrawnShape[] {
  const preview = previewOf(state);
  const transient = [preview, state.measured].filter((each) => each !== null);
  return [...shownOf(state), ...transient].flatMap((figure) => {
    const shape = shapeOf(figure, view);
    const selected = figure === preview || ('id' in figure && figure.id === state.selectedId);
    return shape ? [{ shape, selected, handle: selected ? state.handle : -1 }] : [];
  });
}

/** What is being placed, as far as its points are known. */
function previewOf({ placement, settings: { color, width, style } }: SceneState): Figure | null {
  const { tool, points = [], clicks = 0 } = placement ?? {};
  if (!tool || points.length === 0) return null;
  const figure = { points, color, width, style, text: '' };
  if (points.length === 1) return tool === 'horizontal' || tool === 'vertical' ? { kind: tool, ...figure } : null;
  return { kind: points.length < clicks || tool === 'long' || tool === 'short' ? 'line' : tool, ...figure };
}

/** Prices of horizontal lines and of the selected drawing, on the axis. */
export function labelsOf(state: SceneState, view: ShapeView): readonly AxisLabel[] {
  return shownOf(state)
    .filter(({ kind, id }) => kind === 'horizontal' || (id === state.selectedId && kind !== 'vertical'))
    .flatMap(({ points, color }) =>
      points.flatMap(({ price }) => {
        const y = view.yOf(price);
        return y === null ? [] : [{ y, text: price.toFixed(view.digits), color }];
      }),
    );
}

/** The topmost drawing at a place, the selected one first, and its handle there; -1 for none. */
export function pick(
  state: Pick<SceneState, 'settings' | 'drawings' | 'selectedId'>,
  view: ShapeView,
  at: Pixel,
  reach: number,
): { readonly drawing: Drawing; readonly handle: number } | null {
  if (state.settings.hidden) return null;
  const isSelected = ({ id }: Drawing): boolean => id === state.selectedId;
  const fromTop = state.drawings.toReversed();
  for (const drawing of [...fromTop.filter(isSelected), ...fromTop.filter((each) => !isSelected(each))]) {
    const shape = shapeOf(drawing, view);
    const handle = shape && hit(shape, at, isSelected(drawing), reach);
    if (handle !== null) return { drawing, handle };
  }
  return null;
}
