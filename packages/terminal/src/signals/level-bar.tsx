// A bar from the stop at the left to the last target at the right, with a mark at the entry and a needle at the price. The style
// sheet places them by `--entry` and `--at`, so that a new price changes one property.
import type { Ref } from 'preact';
import { type Levels, placeOf } from './levels.ts';
import type { Progress } from './signal-progress.ts';

export interface LevelBarProps {
  readonly levels: Levels;
  readonly bar?: Ref<HTMLElement>;
  /** Targets before the last. */
  readonly targets?: readonly number[];
  /** A stop that was moved. */
  readonly stop?: number | null;
}

export function LevelBar({ levels, bar = null, targets = [], stop = null }: LevelBarProps) {
  const mark = (name: string, price: number) => (
    <i key={price} class={`level-mark ${name}`} style={{ '--mark': placeOf(levels, price) }} />
  );
  return (
    <span
      ref={bar}
      class="level-bar"
      aria-hidden="true"
      data-state="none"
      style={{ '--entry': placeOf(levels, levels.entry) }}
    >
      <i class="level-run" />
      {targets.map((price) => mark('target', price))}
      {stop !== null && mark('stop', stop)}
      <i class="level-entry" />
      <i class="level-needle" />
    </span>
  );
}

/** A pending signal neither wins nor loses. */
export function moveNeedle(bar: HTMLElement, levels: Levels, { at, pending }: Progress): void {
  const place = at === null ? 0 : placeOf(levels, at);
  const text = place.toFixed(4);
  // A change that nobody sees, and even the same value again, would cost the browser a frame.
  if (bar.style.getPropertyValue('--at') !== text) bar.style.setProperty('--at', text);
  const sign = place >= placeOf(levels, levels.entry) ? 'up' : 'down';
  bar.dataset.state = at === null ? 'none' : pending ? 'pending' : sign;
}
