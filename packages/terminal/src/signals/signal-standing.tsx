// The progress of a signal in large figures over the level bar. A tick changes the texts without rendering the page.
import { useSignal } from '@preact/signals';
import type { SignalDetail } from '@tickwire/client';
import { useRef } from 'preact/hooks';
import type { QuoteBoard } from '../services/quote-board.ts';
import { price, signOf } from '../ui/format.ts';
import { useAbortEffect } from '../ui/hooks.ts';
import { preferences } from '../ui/preferences.ts';
import { digitsOf, REASONS } from './labels.ts';
import { LevelBar, moveNeedle } from './level-bar.tsx';
import { marketOf, placeOf, unitOf } from './levels.ts';
import { progressOf } from './signal-progress.ts';

export function Standing({ quotes, signal }: { readonly quotes: QuoteBoard; readonly signal: SignalDetail }) {
  const { symbol, status, entry, stop_loss, take_profit, entry_price, targets, exits, current_stop_loss } = signal;
  const bar = useRef<HTMLElement>(null);
  const [figure, sign, below] = [useSignal(''), useSignal('none'), useSignal('')];
  useAbortEffect(
    (end) => {
      const show = (): void => {
        const progress = progressOf(signal, signal, marketOf(quotes, symbol), unitOf(quotes, symbol));
        const { detail, at, pending } = progress;
        figure.value = progress.figure;
        sign.value = signOf(progress.figure);
        if (signal.status === 'closed')
          below.value = [REASONS[signal.close_reason], detail].filter((text) => text !== '').join(' · ');
        else {
          const kind = exits.length === 0 ? 'Unrealised' : 'Partly realised';
          below.value = pending || at === null ? detail : `${kind}, verified once closed · ${detail}`;
        }
        moveNeedle(bar.current!, signal, progress);
      };
      show();
      quotes.onChange((changed) => {
        if (changed.has(symbol)) show();
      }, end);
    },
    [status, entry_price, exits.length, current_stop_loss, preferences.choices],
  );
  const at = (value: number): string => price(value, digitsOf(signal, quotes));
  return (
    <div class="standing">
      <div>
        <b class="standing-figure" data-sign={sign}>
          {figure}
        </b>
        <p class="hint">{below}</p>
      </div>
      <div class="standing-bar">
        <LevelBar
          levels={signal}
          bar={bar}
          targets={targets.slice(0, -1).map((target) => target.price)}
          stop={current_stop_loss === stop_loss ? null : current_stop_loss}
        />
        <div class="level-ends muted small" style={{ '--entry': placeOf(signal, entry) }}>
          {[['Stop', stop_loss] as const, ['Entry', entry] as const, ['Target', take_profit] as const].map(
            ([name, level]) => (
              <span key={name}>
                {`${name} `}
                <span>{at(level)}</span>
              </span>
            ),
          )}
        </div>
      </div>
    </div>
  );
}
