// Parts that the pages of signals and publishers share.
import type { ReadonlySignal } from '@preact/signals';
import type { Signal } from '@tickwire/client';
import type { ComponentChildren } from 'preact';
import { DIRECTIONS } from './labels.ts';

export interface SubPageProps {
  readonly class: 'signal-view' | 'publish' | 'publishers';
  /** The list that the page belongs to. */
  readonly of: 'signals' | 'publishers';
  readonly children: ComponentChildren;
}

/** A page below the feed or the ranking, which scrolls as a whole. */
export function SubPage({ class: className, of, children }: SubPageProps) {
  return (
    <section class={`signals-page ${className}`}>
      <div class="signal-body">
        <a class="back" href={`/${of}`}>
          {`← All ${of}`}
        </a>
        {children}
      </div>
    </section>
  );
}

export function SignalPanel({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="signal-panel">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export const DirectionLabel = ({ of }: { readonly of: Signal['direction'] }) => (
  <span class="direction" data-sign={of === 'buy' ? 'up' : 'down'}>
    {DIRECTIONS[of]}
  </span>
);

/** Sentences, one per line of the text. */
export const Lines = ({ of }: { readonly of: ReadonlySignal<string> }) => (
  <ul class="ticket-problems">{of.value !== '' && of.value.split('\n').map((text) => <li key={text}>{text}</li>)}</ul>
);

const Remark = ({ text, title }: { readonly text: string; readonly title: string }) => (
  <span class="chip caution" title={title}>
    {text}
  </span>
);

/** Why a result is not ranked, or is only the worst case. */
export function Remarks({ of }: { readonly of: Signal }) {
  if (of.status !== 'closed') return null;
  return (
    <>
      {of.self_sourced && (
        <Remark text="self-sourced" title="Decided by prices that its publisher pushed: not ranked." />
      )}
      {of.gap_from !== undefined && (
        <Remark text="gap" title="Prices were missing for a part of the trade: not ranked." />
      )}
      {of.pnl_best !== undefined && (
        <Remark
          text="worst case"
          title="Decided by a bar, which does not show the order of prices: the worst case counts."
        />
      )}
    </>
  );
}
