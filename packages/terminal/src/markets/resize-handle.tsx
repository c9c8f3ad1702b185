// The edge between two panels, which can be dragged, or moved with the arrow keys. A double click restores the usual width.
import { useRef } from 'preact/hooks';
import { MAX_WIDTH, MIN_WIDTH, widthOf } from './layout.ts';

export interface ResizeHandleProps {
  /** Its accessible name. */
  readonly label: string;
  readonly class: string;
  /** Whether the panel is to the right of its edge. */
  readonly toLeft?: boolean;
  /** The panel's current width. */
  readonly measure: () => number;
  readonly onWidth: (width: number | null) => void;
}

const STEP = 16;

export function ResizeHandle({ label, class: className, toLeft = false, measure, onWidth }: ResizeHandleProps) {
  const drag = useRef<{ readonly x: number; readonly width: number } | null>(null);
  const sign = toLeft ? -1 : 1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is a control, and hr is not.
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      aria-valuenow={MIN_WIDTH}
      tabIndex={0}
      class={`resize-handle ${className}`}
      onFocus={({ currentTarget }) => currentTarget.setAttribute('aria-valuenow', String(Math.round(measure())))}
      onPointerDown={(event) => {
        drag.current = { x: event.clientX, width: measure() };
        event.currentTarget.setPointerCapture(event.pointerId);
        event.preventDefault();
      }}
      onPointerMove={({ clientX, currentTarget }) => {
        if (!drag.current) return;
        const width = widthOf(drag.current.width + sign * (clientX - drag.current.x));
        currentTarget.setAttribute('aria-valuenow', String(width));
        onWidth(width);
      }}
      onPointerUp={() => {
        drag.current = null;
      }}
      onPointerCancel={() => {
        drag.current = null;
      }}
      onDblClick={() => onWidth(null)}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowRight' ? STEP : event.key === 'ArrowLeft' ? -STEP : 0;
        if (by === 0) return;
        event.preventDefault();
        const width = widthOf(measure() + sign * by);
        event.currentTarget.setAttribute('aria-valuenow', String(width));
        onWidth(width);
      }}
    />
  );
}
