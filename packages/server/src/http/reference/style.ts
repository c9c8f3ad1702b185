// The style sheet of the page: one column of text with samples beside it on wide screens, in light or dark mode.
export const STYLE = `
:root {
  --paper: #fdfdfc; --ink: #1d1f21; --soft: #62676e; --line: #e7e6e2; --wash: #f5f5f2;
  --accent: #0b6b61; --accent-wash: #e6f1ef; --string: #2f6a3c; --value: #8a4b12; --warn: #fbf3df; --warn-line: #e4cf93;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #121416; --ink: #dfe1e4; --soft: #979da5; --line: #272a2e; --wash: #191c1f;
    --accent: #65c7b9; --accent-wash: #17302d; --string: #93c79c; --value: #dca974; --warn: #2a2415; --warn-line: #57491f;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15.5px/1.62 var(--sans); overflow-wrap: break-word; }
a { color: var(--accent); text-decoration: none; text-underline-offset: 3px; }
a:hover, p a, td a { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; z-index: 3; background: var(--paper); padding: .3rem .8rem; }

.masthead { position: sticky; top: 0; z-index: 2; display: flex; gap: .7rem; align-items: baseline; height: 3.4rem; padding: .85rem 2rem 0;
  background: var(--paper); border-bottom: 1px solid var(--line); color: var(--soft); font-size: .92rem; white-space: nowrap; }
.masthead .name { color: var(--ink); font-weight: 650; font-size: 1.05rem; letter-spacing: -.01em; }
.masthead .version { font: .8rem var(--mono); }
.masthead nav { margin-left: auto; display: flex; gap: 1.2rem; }
.frame { max-width: 88rem; margin: 0 auto; }
main { padding: 0 2rem 6rem; min-width: 0; }

.contents summary { cursor: pointer; padding: .8rem 2rem; border-bottom: 1px solid var(--line); color: var(--soft); font-size: .92rem; }
.contents nav { padding: 1rem 2rem; border-bottom: 1px solid var(--line); }
.contents ul { list-style: none; margin: 0; padding: 0; }
.contents nav > ul > li { margin-bottom: .85rem; }
.contents a { display: block; padding: .13rem 0; color: var(--soft); font-size: .875rem; }
.contents nav > ul > li > a { color: var(--ink); font-weight: 600; }
.contents a:hover { color: var(--accent); text-decoration: none; }
.contents code { background: none; padding: 0; font-size: .78rem; }

h2, h3, h4 { line-height: 1.25; letter-spacing: -.012em; font-weight: 640; text-wrap: balance; }
h2 a, h3 a, h4 a { color: inherit; }
h4 a[href^="#resource-"] { color: var(--accent); font-weight: 500; }
h2 { font-size: 1.75rem; letter-spacing: -.022em; margin: 0 0 1.4rem; }
h3 { font-size: 1.16rem; margin: 2.6rem 0 .7rem; }
h4 { font-size: .98rem; margin: 1.8rem 0 .6rem; }
section { padding-top: 3.6rem; }
section + section { margin-top: 3.6rem; border-top: 1px solid var(--line); }
p { margin: 0 0 1rem; max-width: 44rem; }
.lead { font-size: 1.12rem; line-height: 1.55; color: var(--soft); }
.facts { color: var(--soft); font-size: .9rem; }
small { font: .74rem var(--sans); color: var(--soft); }
code { font: .86em var(--mono); background: var(--wash); padding: .1em .32em; border-radius: 4px; }
pre code, .fields th code { background: none; padding: 0; }
a code { color: inherit; background: none; padding: 0; }
.simulated { margin: 2rem 0 -1rem; max-width: none; padding: .8rem 1.1rem; background: var(--warn); border: 1px solid var(--warn-line); border-radius: 8px; }
.simulated code { background: none; padding: 0; }

.pair { margin-top: 2.2rem; }
article.pair { margin-top: 0; padding: 2.4rem 0 1.6rem; border-top: 1px solid var(--line); }
h2 + .pair, h3 + .pair { margin-top: 0; }
p + article.pair, h3 + article.pair { margin-top: 1.8rem; }
.pair > div { min-width: 0; }
.pair > div > :first-child { margin-top: 0; }
.method { font: 600 .72rem var(--mono); letter-spacing: .04em; color: var(--accent); background: var(--accent-wash); padding: .22em .5em; border-radius: 4px; vertical-align: .13em; }
.path { font: 600 1.02rem var(--mono); letter-spacing: -.02em; }

.sample { margin: 0 0 1.1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--wash); overflow: hidden; }
.sample figcaption { display: flex; justify-content: space-between; padding: .42rem .95rem; border-bottom: 1px solid var(--line); font-size: .78rem; color: var(--soft); }
.sample button { border: 0; padding: 0; background: none; color: var(--soft); font: inherit; cursor: pointer; }
.sample button:hover { color: var(--accent); }
.sample pre { margin: 0; padding: .8rem .95rem; overflow-x: auto; font: .8rem/1.6 var(--mono); tab-size: 2; }
.sample pre code { font: inherit; }
.sample.folded pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.sample.folded pre:has(b) { padding-left: 2.3rem; }
.sample.folded b { margin-left: -1.35rem; }
.sample i { font-style: normal; }
.sample .s { color: var(--string); } .sample .v { color: var(--value); } .sample b { color: var(--accent); font-weight: 400; }

table { border-collapse: collapse; width: 100%; margin: 0 0 1.4rem; font-size: .92rem; }
th { text-align: left; font-weight: 600; }
th, td { padding: .6rem 1rem .6rem 0; border-top: 1px solid var(--line); vertical-align: top; }
thead th { border-top: 0; color: var(--soft); font-weight: 500; font-size: .82rem; }
tbody tr:last-child > * { border-bottom: 1px solid var(--line); }
.fields th { width: 13.5rem; font-weight: 400; overflow-wrap: anywhere; }
.fields th code { font-weight: 600; font-size: .82rem; }
.fields small { white-space: nowrap; }
.type { display: block; color: var(--soft); font-size: .86rem; }
.type code { font-size: .78rem; }
.note { display: block; }
.numbers td { font-variant-numeric: tabular-nums; }
.numbers th[scope=row] { text-transform: capitalize; }
.grid th[scope=row] { white-space: nowrap; }
.catalogue tr:target { background: var(--accent-wash); }
.catalogue tr:target code { background: none; }
.codes { list-style: none; display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; padding: 0; margin: 0; font-size: .92rem; }
.codes span { color: var(--soft); font-variant-numeric: tabular-nums; }
.resources { columns: 2 24rem; column-gap: 3.5rem; }
.resource { break-inside: avoid; padding-top: 1.6rem; }
.resource h3 { margin-top: 0; font: 600 1rem var(--mono); letter-spacing: -.02em; }
:target > div > h3, :target > h3, :target > div > h4 { color: var(--accent); }

@media (min-width: 900px) {
  .frame { display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); }
  .contents { position: sticky; top: 3.4rem; max-height: calc(100vh - 3.4rem); overflow-y: auto; scrollbar-width: thin; padding: 2.6rem 1rem 3rem 2rem; }
  .contents summary { display: none; }
  .contents nav { padding: 0; border: 0; }
  main { padding: 0 2.5rem 8rem; }
}
@media (min-width: 1200px) {
  .pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27.5rem); gap: 3rem; align-items: start; }
  .pair > div:last-child { position: sticky; top: 5rem; }
  .resources .fields th { width: 11rem; }
}
@media (max-width: 640px) {
  main, .masthead, .contents summary, .contents nav { padding-left: 1.15rem; padding-right: 1.15rem; }
  h2 { font-size: 1.5rem; }
  .masthead > span { display: none; }
  .fields tr, .stacked tr { display: block; padding: .6rem 0; border-top: 1px solid var(--line); }
  .fields tr > *, .stacked tr > * { display: block; width: auto; border: 0 !important; padding: 0; }
  .stacked thead { display: none; }
  .stacked td[data-label] { display: inline-block; margin-right: 1.1rem; font-size: .86rem; }
  td[data-label]::before { content: attr(data-label) " "; color: var(--soft); }
  .numbers th, .numbers td { padding-right: .5rem; }
}
@media print { .masthead, aside, .sample button { display: none; } .sample { break-inside: avoid; } }
`;
