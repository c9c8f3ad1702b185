// The page at an address that does not exist, for browsers. Other clients get a problem response.
import { cspHash } from '../ops/sha256.ts';
import { type Page, page } from './page.ts';

const STYLE = `
:root { color-scheme: dark light; --ground: #0a0d12; --panel: #10141b; --line: #1c232d; --text: #dbe2ec; --muted: #8592a3; --accent: #4f9cf9; }
@media (prefers-color-scheme: light) {
  :root { --ground: #eef0f3; --panel: #ffffff; --line: #e6e9ee; --text: #18202b; --muted: #5d6a7a; --accent: #1a63c4; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem 1rem; background: var(--ground); color: var(--text);
  font: 15px/1.55 Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: break-word; }
main { width: 100%; max-width: 30rem; padding: 1.75rem; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; }
svg { width: 28px; height: 28px; fill: none; stroke: var(--accent); stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
h1 { margin: .5rem 0 .4rem; font-size: 1.35rem; line-height: 1.25; letter-spacing: -.015em; }
p { margin: 0 0 1.1rem; color: var(--muted); }
ul { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
li { border-bottom: 1px solid var(--line); }
li:last-child { border-bottom: 0; }
a { display: block; padding: .65rem .2rem; color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
small { display: block; color: var(--muted); font-size: .85rem; }
`;

const LINKS = [
  ['/', 'Terminal', 'Live markets, signals and news'],
  ['/docs', 'API reference', 'Every endpoint, stream and error'],
  ['/guide/', 'Guide', 'First steps, concepts and recipes'],
] as const;

const links = LINKS.map(([to, title, about]) => `<li><a href="${to}">${title}<small>${about}</small></a></li>`).join(
  '',
);

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="robots" content="noindex">
<title>Page not found · Tickwire</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M1 10h3.5l2-7 3 10.5 2-6H15"/></svg>
<h1>Page not found</h1>
<p>There is no page at this address. Check it for typing errors, or continue here:</p>
<nav aria-label="Pages"><ul>${links}</ul></nav>
</main>
</body>
</html>
`;

const POLICY = `default-src 'none'; style-src ${cspHash(STYLE)}; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
const { content, headers } = page(HTML, 'text/html; charset=utf-8', POLICY, 'no-store');

export const NOT_FOUND_PAGE: Page = { content, headers: { ...headers, Vary: 'Accept' }, status: 404 };

/** Whether the client names HTML and prefers it to JSON, as browsers do when a person opens an address. */
export function prefersHtml({ method, headers: sent }: Request): boolean {
  const accept = sent.get('accept');
  if (accept === null || (method !== 'GET' && method !== 'HEAD')) return false;
  const weights = new Map(accept.split(',').map(weightOf));
  const html = weights.get('text/html') ?? 0;
  const json = weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return html > json;
}

function weightOf(range: string): readonly [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
  return [type, weight === undefined ? 1 : Number(weight) || 0];
}
