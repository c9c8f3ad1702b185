// Views whose script is loaded when they are opened for the first time.
import { type FunctionComponent, h } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';

/** `load` imports the module and returns its component. */
export function lazy<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  let loaded: FunctionComponent<P> | null = null;
  return (props: P) => {
    const [failed, setFailed] = useState(false);
    const [renders, render] = useState(0);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (view) => {
          loaded = view;
          render(1);
        },
        () => setFailed(true),
      );
    }, []);
    useLayoutEffect(() => {
      if (renders > 0) focusHeading();
    }, [renders]);
    if (loaded) return h(loaded, props);
    if (!failed) return <p class="empty-note">Loading…</p>;
    // After an update of the service the script has another name, which only the new page knows.
    return (
      <div class="sorry">
        <p>This page could not be loaded.</p>
        <Button onClick={() => location.reload()}>Reload</Button>
      </div>
    );
  };
}

/** The router focuses the heading of a new page, which was not there yet. Whoever has moved the focus keeps it. */
function focusHeading(): void {
  const page = document.activeElement;
  const heading = page instanceof HTMLElement && page.matches('main') ? page.querySelector('h1') : null;
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
