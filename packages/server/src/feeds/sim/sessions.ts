// Whether each calendar is open, remembered up to its next change, so that asking for every slot costs next to nothing.
import { asEpochMs, type HoursName, isOpen, nextChange } from '@tickwire/engine';

interface Stretch {
  from: number;
  until: number;
  open: boolean;
}

export class Sessions {
  readonly #stretches = new Map<HoursName, Stretch>();

  open(hours: HoursName, time: number): boolean {
    if (hours === 'always') return true;
    let stretch = this.#stretches.get(hours);
    if (!stretch) {
      stretch = { from: 0, until: 0, open: false };
      this.#stretches.set(hours, stretch);
    }
    if (time < stretch.from || time >= stretch.until) {
      const now = asEpochMs(time);
      stretch.from = time;
      stretch.until = nextChange(hours, now);
      stretch.open = isOpen(hours, now);
    }
    return stretch.open;
  }
}
