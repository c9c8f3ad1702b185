// The bar of a replay: what time it is there, and what moves the clock.
import type { Signal } from '@preact/signals';
import type { PracticeRecord } from '@tickwire/client';
import { MINUTE_MS } from '@tickwire/contract/durations.ts';
import { useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { inR } from '../signals/labels.ts';
import { Button } from '../ui/button.tsx';
import { useNow } from '../ui/hooks.ts';
import { nextOpens } from './jumps.ts';
import type { Practice } from './practice.ts';
import type { Replay } from './replay.ts';
import { clockText, NOT_REPLAYED, problemText } from './replay-text.ts';
import { SPEEDS, type Speed, speedText } from './speeds.ts';

export interface TransportBarProps {
  readonly replay: Replay;
  /** Of the page, made anew by each seek. */
  readonly services: Signal<TerminalServices>;
  readonly onPlay: () => void;
  readonly onStep: (step: 'tick' | 'bar') => void;
  readonly onSpeed: (speed: Speed) => void;
  readonly onSeek: (time: number) => void;
  /** Jumps to just before the next economic event. */
  readonly onNextEvent: () => void;
  /** `null` if the user may not publish. */
  readonly practice: Practice | null;
  readonly onPractice: () => void;
  readonly onLeave: () => void;
}

const REDRAW_MS = 250;
const EVENT = 'event';

export function TransportBar(props: TransportBarProps) {
  const { replay, services, practice, onPlay, onStep, onSpeed, onSeek, onNextEvent, onPractice, onLeave } = props;
  useNow(REDRAW_MS);
  // While the slider is dragged, its time is shown and not that of the clock.
  const [dragged, setDragged] = useState<number | null>(null);
  const session = replay.session.value;
  const { clock } = replay;
  const time = dragged ?? clock.time;
  const [from, to] = [Date.parse(session.from), Date.parse(session.to)];
  const isPlaying = session.state === 'playing';
  const isOver = session.state === 'ended';
  const prices = services.value.streams.health.value.get('market');
  const problem = problemText({ session, time, prices, isSlow: clock.isSlow });
  return (
    <section class="replay-bar" aria-label="Replay">
      <div class="replay-line line">
        <strong class="replay-badge">REPLAY</strong>
        <time class="replay-clock mono" dateTime={new Date(time).toISOString()}>
          {clockText(time)}
        </time>
        <fieldset class="timeframes" aria-label="Clock">
          <button
            type="button"
            class="timeframe replay-play"
            disabled={isOver}
            title={isPlaying ? 'Pause (Space)' : 'Play (Space)'}
            onClick={onPlay}
          >
            {isPlaying ? 'Pause' : 'Play'}
          </button>
          <button
            type="button"
            class="timeframe"
            disabled={isOver}
            title="Go to the next tick (.)"
            onClick={() => onStep('tick')}
          >
            + tick
          </button>
          <button
            type="button"
            class="timeframe"
            disabled={isOver}
            title="Go to the end of the bar of the chart (→)"
            onClick={() => onStep('bar')}
          >
            + bar
          </button>
        </fieldset>
        <select
          class="replay-select"
          aria-label="Speed"
          value={String(session.speed)}
          onChange={({ currentTarget: { value } }) => onSpeed(value === 'max' ? value : Number(value))}
        >
          {[...new Set([...SPEEDS, session.speed])].map((speed) => (
            <option key={speed} value={String(speed)}>
              {speedText(speed)}
            </option>
          ))}
        </select>
        <select
          class="replay-select"
          aria-label="Jump to"
          value=""
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            currentTarget.value = '';
            if (value === EVENT) onNextEvent();
            else onSeek(Number(value));
          }}
        >
          <option value="">Jump to…</option>
          {nextOpens(clock.time, to).map((jump) => (
            <option key={jump.title} value={String(jump.time)}>
              {jump.title}
            </option>
          ))}
          <option value={EVENT}>Next economic event</option>
        </select>
        <input
          type="range"
          class="replay-slider"
          aria-label="Time"
          aria-valuetext={clockText(time)}
          min={from}
          max={to}
          step={MINUTE_MS}
          value={time}
          onInput={({ currentTarget }) => setDragged(Number(currentTarget.value))}
          onChange={({ currentTarget }) => {
            setDragged(null);
            onSeek(Number(currentTarget.value));
          }}
        />
        {practice && <Button onClick={onPractice}>{practiceText(practice.record.value)}</Button>}
        <Button onClick={onLeave}>End replay</Button>
      </div>
      <p class="replay-note" role="status" data-problem={problem !== null}>
        {problem ?? NOT_REPLAYED}
      </p>
    </section>
  );
}

/** With the open signals at the current price. */
const practiceText = (record: PracticeRecord | null): string =>
  record && record.figures.signals > 0 ? `Record ${inR(record.equity_now.total_r)}` : 'Record';
