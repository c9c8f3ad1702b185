// The style sheet of the page: one column of text with samples beside it on wide screens, in light or dark mode.
import { FONT_FACE } from '../page-font.ts';

/** The choice in the terminal (`data-theme`) comes before that of the system. */
const DARK = `--paper: #0a0d12; --ink: #dbe2ec; --soft: #8f9bab; --line: #1c232d; --wash: #10141b;
    --accent: #4f9cf9; --accent-wash: #16263b; --string: #93c79c; --value: #dca974; --warn: #2a2415; --warn-line: #57491f; --edge: #5b6777; --bad: #ff8a80;`;

export const STYLE = `
${FONT_FACE}
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #18202b; --soft: #5d6a7a; --line: #e6e9ee; --wash: #f4f6f8;
  --accent: #1a63c4; --accent-wash: #e8f0fb; --string: #2f6a3c; --value: #8a4b12; --warn: #fbf3df; --warn-line: #e4cf93; --edge: #8a95a3; --bad: #b3261e;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --sans: "Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
}
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; ${DARK} }
@media (prefers-color-scheme: dark) {
  :root:not([data-theme=light]) { ${DARK} }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15.5px/1.62 var(--sans); overflow-wrap: break-word; }
a { color: var(--accent); text-decoration: none; text-underline-offset: 3px; }
a:hover, p a, td a { text-decoration: underline; }
/* Underscores stay visible. */
a:has(> code) { text-underline-offset: 5px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; z-index: 3; background: var(--paper); padding: .3rem .8rem; }

.masthead { position: sticky; top: 0; z-index: 2; display: flex; gap: .7rem; align-items: baseline; height: 3.4rem; padding: .85rem max(2rem, 50% - 41.5rem) 0 max(2rem, 50% - 42rem);
  background: var(--paper); border-bottom: 1px solid var(--line); color: var(--soft); font-size: .92rem; white-space: nowrap; }
.masthead .name { display: flex; gap: .45rem; align-items: baseline; color: var(--ink); font-weight: 650; font-size: 1.05rem; letter-spacing: -.01em; }
.mark { width: 1rem; align-self: center; fill: none; stroke: var(--accent); stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; }
.masthead .title { color: inherit; }
.masthead .version { font: .8rem var(--mono); }
.masthead nav { margin-left: auto; display: flex; gap: 1.2rem; }
.search { position: relative; align-self: center; margin: -.85rem 0 0 auto; }
.search + nav { margin-left: 1.2rem; }
.search[hidden] + nav { margin-left: auto; }
.search input { width: 15rem; height: 2rem; padding: 0 1.9rem 0 .7rem; border: 1px solid var(--edge); border-radius: 6px; background: var(--wash); color: var(--ink); font: .875rem var(--sans); }
.search input::placeholder { color: var(--soft); opacity: 1; }
.search kbd { position: absolute; right: .55rem; top: .42rem; padding: 0 .4rem; border: 1px solid var(--line); border-radius: 4px; background: var(--paper); font: .72rem/1.1rem var(--mono); pointer-events: none; }
.search input:focus ~ kbd { display: none; }
.search ul { position: absolute; right: 0; top: 2.5rem; width: 30rem; max-width: calc(100vw - 2rem); max-height: min(30rem, 70vh); overflow-y: auto; margin: 0; padding: .35rem; list-style: none;
  background: var(--paper); border: 1px solid var(--edge); border-radius: 8px; box-shadow: 0 8px 28px rgb(0 0 0 / .22); white-space: normal; }
.search li:not(.none) { display: grid; grid-template-columns: 1fr auto; gap: 0 .8rem; padding: .4rem .6rem; border-radius: 5px; color: var(--ink); line-height: 1.4; cursor: pointer; }
.search li:hover { background: var(--wash); }
.search li code { background: none; padding: 0; font-weight: 600; overflow-wrap: anywhere; }
.search li span { grid-column: 1; grid-row: 2; color: var(--soft); font-size: .82rem; overflow-wrap: anywhere; }
.search li small { grid-column: 2; grid-row: 1; }
.search li[aria-selected=true] { background: var(--accent-wash); }
.search .none { padding: .5rem .6rem; }
.frame { max-width: 88rem; margin: 0 auto; }
main { padding: 0 2rem 6rem; min-width: 0; }

.contents summary { cursor: pointer; padding: .8rem 2rem; border-bottom: 1px solid var(--line); color: var(--soft); font-size: .92rem; }
.contents nav { padding: 1rem 2rem; border-bottom: 1px solid var(--line); }
.contents ul { list-style: none; margin: 0; padding: 0; }
.contents a { display: block; padding: .13rem 0; color: var(--soft); font-size: .875rem; }
.contents nav > ul > li { margin-bottom: .2rem; }
.contents nav > ul > li > a { color: var(--ink); font-weight: 600; }
.contents a[aria-current] { color: var(--accent) !important; }
.contents .sections { margin: .2rem 0 .9rem .1rem; padding-left: .8rem; border-left: 1px solid var(--line); }
.contents .sections > li > a { color: var(--ink); }
.contents .sections ul { padding-left: .6rem; }
.contents a:hover { color: var(--accent); text-decoration: none; }
.contents code { display: block; padding: 0 0 0 1em; background: none; font-size: .78rem; line-height: 1.6; text-indent: -1em; }

h1, h2, h3, h4 { line-height: 1.25; letter-spacing: -.012em; font-weight: 640; text-wrap: balance; }
h2 a, h3 a, h4 a { color: inherit; }
h4 a[href*="#resource-"] { color: var(--accent); font-weight: 500; }
h1 { font-size: 2.1rem; letter-spacing: -.025em; margin: 2.6rem 0 .8rem; }
.guides { color: var(--soft); font-size: .92rem; }
h2 { font-size: 1.6rem; letter-spacing: -.022em; margin: 0 0 1.4rem; }
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
.sample figcaption { display: flex; justify-content: space-between; align-items: center; padding: .42rem .95rem; border-bottom: 1px solid var(--line); font-size: .78rem; color: var(--soft); }
html[data-language] .languages { position: relative; margin: 0 0 1.1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--wash); overflow: hidden; }
html[data-language] .languages .sample { margin: 0; border: 0; border-radius: 0; }
html[data-language] .languages figcaption { position: absolute; right: 0; top: 0; height: 2.35rem; border: 0; }
html[data-language] .languages figcaption span { display: none; }
.languages .tabs { display: flex; gap: .1rem; height: 2.35rem; align-items: center; padding: 0 .5rem; border-bottom: 1px solid var(--line); }
.languages .tabs button { min-height: 26px; padding: 0 .55rem; border: 0; border-radius: 5px; background: none; color: var(--soft); font: .78rem var(--sans); cursor: pointer; }
.languages .tabs button:hover { color: var(--accent); }
.languages .tabs button[aria-pressed=true] { background: var(--accent-wash); color: var(--ink); font-weight: 600; }
html[data-language=curl] .languages > figure:not([data-language=curl]),
html[data-language=typescript] .languages > figure:not([data-language=typescript]),
html[data-language=python] .languages > figure:not([data-language=python]) { display: none; }
.sample .copy { min-height: 24px; border: 0; padding: 0 2px; background: none; color: var(--soft); font: inherit; cursor: pointer; }
.sample .copy:hover { color: var(--accent); }
.sample pre { margin: 0; padding: .8rem .95rem; overflow-x: auto; font: .8rem/1.6 var(--mono); tab-size: 2; }
.sample pre code { font: inherit; }
.sample.folded pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.sample.folded pre:has(b) { padding-left: 2.3rem; }
.sample.folded b { margin-left: -1.35rem; }
.sample i { font-style: normal; }
.sample .s { color: var(--string); } .sample .v { color: var(--value); } .sample b { color: var(--accent); font-weight: 400; }

.try { margin: 0 0 1.1rem; border: 1px solid var(--line); border-radius: 8px; }
.try summary { padding: .5rem .95rem; cursor: pointer; font-size: .9rem; font-weight: 600; color: var(--accent); }
.try form, .try .answer { padding: 0 .95rem; }
.try .inputs { display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); gap: .1rem .9rem; }
.try label { display: block; min-width: 0; margin-bottom: .7rem; font-size: .82rem; }
.try label span { display: block; margin-bottom: .15rem; }
.try label code { background: none; padding: 0; font-weight: 600; }
.try input, .try select, .try textarea { display: block; width: 100%; min-height: 2rem; padding: .25rem .55rem; border: 1px solid var(--edge); border-radius: 6px; background: var(--paper); color: var(--ink); font: .8rem/1.5 var(--mono); }
.try textarea { resize: vertical; }
.try .hint { margin: 0 0 .7rem; color: var(--soft); font-size: .82rem; }
.try [type=submit], .confirm button { min-height: 2.1rem; margin-bottom: .95rem; padding: 0 1rem; border: 1px solid var(--accent); border-radius: 6px; background: var(--accent); color: var(--paper); font: 600 .86rem var(--sans); cursor: pointer; }
.try [type=submit]:disabled { opacity: .6; cursor: default; }
.try .answer p { margin-bottom: .7rem; font-size: .86rem; overflow-wrap: anywhere; }
.try .answer .failed, .try .answer .failed strong { color: var(--bad); }
.try .answer pre { max-height: 24rem; overflow: auto; }
.confirm { max-width: min(30rem, calc(100vw - 2rem)); padding: 1.4rem 1.5rem; border: 1px solid var(--edge); border-radius: 10px; background: var(--paper); color: var(--ink); }
.confirm::backdrop { background: rgb(0 0 0 / .5); }
.confirm h2 { margin: 0 0 .8rem; font-size: 1.2rem; }
.confirm p { margin: .8rem 0 1.2rem; }
.confirm code { overflow-wrap: anywhere; }
.confirm .buttons { display: flex; justify-content: flex-end; gap: .7rem; }
.confirm .buttons button { margin: 0; }
.confirm button:not(.primary) { background: none; border-color: var(--edge); color: var(--ink); }

.pages { list-style: none; display: grid; grid-template-columns: repeat(auto-fit, minmax(max(15rem, 30%), 1fr)); gap: .9rem; margin: 2rem 0 0; padding: 0; }
.pages li { padding: .9rem 1.1rem; border: 1px solid var(--line); border-radius: 8px; font-size: .88rem; color: var(--soft); }
.pages a { display: block; font-weight: 640; font-size: 1rem; }
.index { list-style: none; margin: 0 0 1.4rem; padding: 0; columns: 3 14rem; column-gap: 2rem; font-size: .88rem; }
.index li { break-inside: avoid; padding: .12rem 0; overflow-wrap: anywhere; }
.index.endpoints { columns: 2 24rem; }
.index span { color: var(--soft); }
.index a:hover span { text-decoration: none; }
main footer { margin-top: 4rem; padding-top: 1.2rem; border-top: 1px solid var(--line); font-size: .88rem; }

table { border-collapse: collapse; width: 100%; margin: 0 0 1.4rem; font-size: .92rem; }
th { text-align: left; font-weight: 600; }
th, td { padding: .6rem 1rem .6rem 0; border-top: 1px solid var(--line); vertical-align: top; }
thead th { border-top: 0; color: var(--soft); font-weight: 500; font-size: .82rem; }
tbody tr:last-child > * { border-bottom: 1px solid var(--line); }
.fields th { width: 13.5rem; font-weight: 400; overflow-wrap: anywhere; }
.fields th code { font-weight: 600; font-size: .82rem; }
.fields small { white-space: nowrap; }
.type { display: block; overflow-wrap: anywhere; color: var(--soft); font-size: .86rem; }
.type code { font-size: .78rem; }
.note { display: block; }
.wide { overflow-x: auto; }
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
:target > div > h3, :target > h3, :target > div > h4:first-child { color: var(--accent); }

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
  .pair > div:has(.try[open]) { position: static; }
  .resources .fields th { width: 11rem; }
}
@media (max-width: 899px) {
  .masthead .version, .masthead nav a[href$=".json"] { display: none; }
  .search input { width: 12rem; }
}
@media (max-width: 640px) {
  main, .masthead, .contents summary, .contents nav { padding-left: 1.15rem; padding-right: 1.15rem; }
  h2 { font-size: 1.5rem; }
  .masthead > span, .masthead .title { display: none; }
  .masthead nav { gap: .9rem; }
  .masthead nav a[href="/"] { display: none; }
  .search { flex: 1; min-width: 0; }
  .search input { width: 100%; min-width: 0; }
  .search ul { position: fixed; left: 1rem; right: 1rem; top: 3.2rem; width: auto; }
  .search kbd { display: none; }
  .search + nav { margin-left: .3rem; }
  .fields tr, .stacked tr { display: block; padding: .6rem 0; border-top: 1px solid var(--line); }
  .fields tr > *, .stacked tr > * { display: block; width: auto; border: 0 !important; padding: 0; }
  .stacked thead { display: none; }
  .stacked td[data-label] { display: inline-block; margin-right: 1.1rem; font-size: .86rem; }
  td[data-label]::before { content: attr(data-label) " "; color: var(--soft); }
  .numbers th, .numbers td { padding-right: .5rem; }
}
@media print { .masthead, aside, .try, .tabs, .copy { display: none; } .sample { break-inside: avoid; } }
`;
