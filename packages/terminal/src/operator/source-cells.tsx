// Cells shared by the tables of feeds and news sources.
import { figure } from '../ui/format.ts';

export interface SourceNameProps {
  readonly name: string;
  readonly url?: string | null;
  /** The current error, in one line unless `wraps`; the tooltip has all of it. */
  readonly error: string | null;
  readonly wraps?: boolean;
}

export function SourceName({ name, url = null, error, wraps = false }: SourceNameProps) {
  return (
    <span class="stacked">
      <span class="key-name">{name}</span>
      {url !== null && <span class="source-address">{url}</span>}
      {error !== null && (
        <span class={wraps ? 'trouble wraps' : 'trouble'} title={error}>
          {error}
        </span>
      )}
    </span>
  );
}

/** A count that should be 0. */
export function FaultCount({ count }: { readonly count: number }) {
  return <span class={count > 0 ? 'alarming' : ''}>{figure(count)}</span>;
}
