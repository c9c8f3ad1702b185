// Times as components, with the exact time as their tooltip.
import { NO_VALUE } from './format.ts';
import { age, exactly, moment } from './relative-time.ts';

export interface TimeProps {
  readonly at: string | null;
  /** Shown if there is no time. Default: a dash. */
  readonly never?: string;
  readonly class?: string;
}

/** `4 min ago`, `in 2 h`, `2 Mar 2026`. */
export function RelativeTime(props: TimeProps) {
  return <Time {...props} text={props.at && moment(props.at, Date.now())} />;
}

/** Counts seconds while it is young, for things that should keep arriving. */
export function Age(props: TimeProps) {
  return <Time {...props} text={props.at && age(props.at, Date.now())} />;
}

// The text is a property: a component that reads signals is rendered again only if a property has changed.
function Time({ at, never = NO_VALUE, class: className, text }: TimeProps & { readonly text: string | null }) {
  if (at === null) return <span class="muted">{never}</span>;
  return (
    <time class={className} dateTime={at} title={exactly(Date.parse(at))}>
      {text}
    </time>
  );
}
