// The icons of the navigation on phones, drawn on a grid of 16 × 16.

const PATHS: Readonly<Record<string, string>> = {
  markets: 'M4.5 2v3m0 6v3M2.5 5h4v6h-4zM11.5 2v2m0 6v4M9.5 4h4v6h-4z',
  signals: 'M2 12l4-4 3 3 5-6m-3.5 0H14v3.5',
  news: 'M2.5 3h9v10.5h-8a1 1 0 0 1-1-1zm9 3.5H14v6a1 1 0 0 1-2.5.5M5 6h4M5 8.5h4M5 11h2.5',
  calendar: 'M2.5 4h11v9.5h-11zm0 3.5h11m-8-5v3m5-3v3',
  alerts: 'M4 11V7.5a4 4 0 0 1 8 0V11l1 1.5H3zm2.8 3.5h2.4',
  settings: 'M2 5h5m4 0h3M2 11h2m4 0h6M9 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm-3 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
};

/** `name`: of the page. The label beside it names it for screen readers. */
export function PageIcon({ name }: { readonly name: string }) {
  const path = PATHS[name];
  if (path === undefined) return null;
  return (
    <svg class="page-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
