// Places elements that draw themselves (a chart, a canvas, a watchlist) inside a Preact tree.
import { useLayoutEffect, useRef } from 'preact/hooks';

export function HostedElement({ element, class: className }: { readonly element: Element; readonly class?: string }) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => host.current?.replaceChildren(element), [element]);
  return <div ref={host} class={className} />;
}
