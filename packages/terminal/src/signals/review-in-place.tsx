// The review of a signal beside the chart: the same as on the page of the form, for the levels that the chart has.
import { render } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ReviewEnd, SignalAttempt, SignalDraft } from '../services/placed-forms.ts';
import { Button } from '../ui/button.tsx';
import { useAbortEffect } from '../ui/hooks.ts';
import { marketOf } from './levels.ts';
import { LivePreview } from './live-preview.ts';
import { draftOf } from './publish-draft.ts';
import type { PublishServices } from './publish-page.tsx';
import { type FieldTexts, missingIn, requestOf, ticketOf } from './publish-request.ts';
import { Review } from './publish-review.tsx';
import { Lines } from './signal-parts.tsx';

interface Props {
  readonly services: PublishServices;
  readonly draft: SignalDraft;
  readonly attempt: SignalAttempt;
  readonly end: ReviewEnd;
}

export function showReview(
  services: PublishServices,
  into: HTMLElement,
  draft: SignalDraft,
  attempt: SignalAttempt,
  end: ReviewEnd,
): () => void {
  render(<ReviewInPlace {...{ services, draft, attempt, end }} />, into);
  return () => render(null, into);
}

function ReviewInPlace({ services: { session, instruments, isReplay, quotes }, draft, attempt, end }: Props) {
  const { symbol } = draft;
  const preview = useMemo(() => new LivePreview(quotes), []);
  const { ticket, request } = useMemo(() => {
    const { values, targets } = draftOf(draft);
    const texts: FieldTexts = { text: (name) => values[name] ?? '' };
    const asked = ticketOf(texts, targets);
    preview.update(symbol, asked);
    return { ticket: asked, request: attempt.request((now) => requestOf(texts, asked, now)) };
  }, []);
  useAbortEffect((signal) => {
    preview.follow(
      () => symbol,
      () => preview.update(symbol, ticket),
      signal,
    );
  }, []);
  if (!request)
    return (
      <div class="sorry">
        <p>{[...missingIn(ticket).values()].join(' ')}</p>
        <Button onClick={end.back}>Back</Button>
      </div>
    );
  return (
    <>
      <Lines of={preview.problems} />
      <Review
        request={request}
        isPractice={isReplay}
        publisher={session.account?.name ?? null}
        preview={preview}
        instrument={instruments.find((each) => each.symbol === symbol)}
        digits={marketOf(quotes, symbol)?.digits ?? 0}
        onPublish={() => end.publish(request)}
        onBack={end.back}
      />
    </>
  );
}
