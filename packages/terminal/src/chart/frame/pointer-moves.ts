// Where a pressed pointer goes, by mouse or finger, also outside the chart.

export interface PointerMoves {
  /** Pixels from the upper left corner of the surface. `over` is the element below a mouse; `null` for a finger. */
  readonly move: (at: { readonly x: number; readonly y: number }, over: EventTarget | null) => void;
  /** False if the system took the finger away. */
  readonly release: (keep: boolean) => void;
}

export function listenToMoves(surface: HTMLElement, signal: AbortSignal, { move, release }: PointerMoves): void {
  const onMove = ({ clientX, clientY }: MouseEvent | Touch, over: EventTarget | null): void => {
    const { left, top } = surface.getBoundingClientRect();
    move({ x: clientX - left, y: clientY - top }, over);
  };
  window.addEventListener('mousemove', (event) => onMove(event, event.target), { signal });
  window.addEventListener('touchmove', ({ touches: [touch] }) => touch && onMove(touch, null), {
    signal,
    passive: true,
  });
  for (const type of ['mouseup', 'touchend', 'touchcancel'])
    window.addEventListener(type, () => release(type !== 'touchcancel'), { signal });
}
