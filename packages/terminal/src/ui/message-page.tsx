// A page that explains why there is nothing else to show, and where to go instead.
import type { ComponentChildren } from 'preact';

export interface MessagePageProps {
  readonly title: string;
  readonly text: string;
  /** Ways to continue: links and buttons. */
  readonly children?: ComponentChildren;
}

export function MessagePage({ title, text, children }: MessagePageProps) {
  return (
    <div class="message-page">
      <div class="card">
        <h1>{title}</h1>
        <p class="intro">{text}</p>
        {children}
      </div>
    </div>
  );
}
