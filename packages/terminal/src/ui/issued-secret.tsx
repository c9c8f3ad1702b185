// A key or a link that is shown only once: easy to see, copied with one click, gone when the page is left.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { CopyLine } from './copied-text.tsx';

export interface IssuedSecretProps {
  readonly title: string;
  /** `null` if the response to a repeated request no longer contains it. */
  readonly secret: string | null;
  readonly text: string;
  /** Below the secret. */
  readonly children?: ComponentChildren;
  readonly onDone: () => void;
}

export function IssuedSecret({ title, secret, text, children, onDone }: IssuedSecretProps) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A dialog that closes gives the focus back first, perhaps to a button that is gone by then.
    const frame = requestAnimationFrame(() => {
      card.current?.focus({ preventScroll: true });
      card.current?.scrollIntoView({ block: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [secret]);
  const done = (
    <Button tone="quiet" onClick={onDone}>
      Done
    </Button>
  );
  return (
    <div class="issued" role="status" tabIndex={-1} ref={card}>
      <h2>{title}</h2>
      {secret === null ? (
        <>
          <p>It was shown before and cannot be shown again. Create another one.</p>
          {done}
        </>
      ) : (
        <>
          <p>{text}</p>
          <CopyLine text={secret}>{done}</CopyLine>
          {children}
        </>
      )}
    </div>
  );
}
