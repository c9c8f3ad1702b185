// The side that absorbs the pressure of an instrument, and the alerts on its beginning.
import type { Side } from '../market/events.ts';
import type { JudgedAlert } from './judged-alert.ts';

export class Absorption {
  /** With the sides they want. */
  readonly alerts = new Map<JudgedAlert, Side | 'either'>();
  /** `null` before the first trade. */
  side: Side | 'none' | null = null;

  read(side: Side | 'none', price: number): void {
    const before = this.side;
    if (before === side) return;
    this.side = side;
    // Absorption that was there when the first trade was seen does not begin now.
    if (before === null || side === 'none') return;
    for (const [alert, wanted] of [...this.alerts])
      if (wanted === 'either' || wanted === side) alert.happen(price, { kind: 'absorption', side });
  }
}
