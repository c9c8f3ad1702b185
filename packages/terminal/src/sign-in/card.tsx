// What the page shows before anybody is signed in: one card.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

export interface CardProps {
  readonly title: string;
  readonly intro?: string | undefined;
  readonly children?: ComponentChildren;
  /** Other ways in. */
  readonly foot?: ComponentChildren;
}

export function Card({ title, intro, children, foot }: CardProps) {
  useLayoutEffect(() => {
    document.title = `${title} · Tickwire`;
  }, [title]);
  return (
    <div class="card">
      <h1>{title}</h1>
      {intro !== undefined && <p class="intro">{intro}</p>}
      {children}
      {foot !== undefined && <p class="foot">{foot}</p>}
    </div>
  );
}
