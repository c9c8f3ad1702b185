// The look of the report: dark or light as the reader has it.

export const STYLE = `
:root { color-scheme: light dark; --text: #1b2430; --soft: #5c6877; --line: #dfe4ea; --page: #fff; --ours: #0f7f6e; --peer: #a9b4c0; --good: #0f7f4f; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e9ef; --soft: #9aa6b4; --line: #2b3440; --page: #12171d; --ours: #2bb5a0; --peer: #4d5a68; --good: #4cc38a; --bad: #f2867f; } }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 26px; margin: 0 0 4px; }
h2 { font-size: 18px; margin: 40px 0 12px; }
.about, li, small { color: var(--soft); }
.about { margin: 0; font-size: 14px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; font-size: 13px; color: var(--soft); }
.number { text-align: right; white-space: nowrap; padding-left: 12px; }
.met { color: var(--good); font-weight: 600; }
.not-met { color: var(--bad); font-weight: 600; }
.not-judged { color: var(--soft); }
figure { margin: 0 0 20px; }
figcaption { font-size: 13px; color: var(--soft); margin-bottom: 4px; }
svg { display: block; width: 100%; height: auto; font: 13px system-ui, sans-serif; }
svg text { fill: var(--text); }
svg .value { fill: var(--soft); font-variant-numeric: tabular-nums; }
.ours { fill: var(--ours); }
.peer { fill: var(--peer); }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.line.ours { stroke: var(--ours); }
.line.peer { stroke: var(--peer); }
.dashed { stroke-dasharray: 5 4; }
.grid { stroke: var(--line); }
svg .named { fill: var(--soft); }
svg .named.ours { fill: var(--ours); }
.range { fill: none; stroke: var(--text); stroke-opacity: 0.55; stroke-width: 1.5; }
ul { margin: 12px 0 0; padding-left: 20px; font-size: 14px; }
`;
