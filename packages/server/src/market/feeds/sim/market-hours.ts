// Caches whether markets are open, up to the next change, so that a check per 125 ms is cheap.
import { asEpochMs, type HoursName, isMarketOpen, nextSessionChange } from '@tickwire/engine';

interface Period {
  from: number;
  until: number;
  open: boolean;
}

export class MarketHours {
  readonly #periods = new Map<HoursName, Period>();

  isOpen(hours: HoursName, time: number): boolean {
    if (hours === 'always') return true;
    let period = this.#periods.get(hours);
    if (!period) {
      period = { from: 0, until: 0, open: false };
      this.#periods.set(hours, period);
    }
    if (time < period.from || time >= period.until) {
      const now = asEpochMs(time);
      period.from = time;
      period.until = nextSessionChange(hours, now);
      period.open = isMarketOpen(hours, now);
    }
    return period.open;
  }
}
