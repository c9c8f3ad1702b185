// A horizontal swipe with one finger: 1 to the left, which shows the next, -1 to the right.

/** A shorter movement is a tap or a slip. Pixels. */
const SHORTEST = 50;
/** A slower one is a drag. */
const LONGEST_MS = 800;

export interface Touched {
  readonly x: number;
  readonly y: number;
  /** Milliseconds. */
  readonly at: number;
}

/** `null` if it was no swipe: too short, too slow, or rather vertical. */
export function swipeOf(from: Touched, to: Touched): 1 | -1 | null {
  const [right, down] = [to.x - from.x, to.y - from.y];
  if (Math.abs(right) < SHORTEST || Math.abs(right) < 2 * Math.abs(down) || to.at - from.at > LONGEST_MS) return null;
  return right < 0 ? 1 : -1;
}

export function listenToSwipes(target: HTMLElement, signal: AbortSignal, onSwipe: (by: 1 | -1) => void): void {
  let from: Touched | null = null;
  const touched = ({ clientX: x, clientY: y }: Touch, at: number): Touched => ({ x, y, at });
  target.addEventListener(
    'touchstart',
    ({ touches: [touch, second], timeStamp }) => {
      from = touch && !second ? touched(touch, timeStamp) : null;
    },
    { signal, passive: true },
  );
  target.addEventListener(
    'touchend',
    ({ changedTouches: [touch], timeStamp }) => {
      const by = from && touch ? swipeOf(from, touched(touch, timeStamp)) : null;
      from = null;
      if (by !== null) onSwipe(by);
    },
    { signal, passive: true },
  );
}
