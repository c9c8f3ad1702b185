// The report as one self-contained HTML page.
import { median } from '../measure/statistics.ts';
import type { Report, ReportSection, TargetCheck } from '../results.ts';
import { OURS } from '../scenarios/scenario.ts';
import { escapeHtml, plot } from './bar-plot.ts';
import { checkTarget, formatFigure, formatRange, isClose } from './check-target.ts';
import { linePlot } from './line-plot.ts';

/** Dark or light, as the browser prefers. */
const STYLE = `
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

export function renderHtml(report: Report): string {
  const { startedAt, seconds, machine, versions, options, pinning, sections } = report;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tickwire benchmark</title><style>${STYLE}</style></head><body><main>
<h1>Tickwire benchmark</h1>
<p class="about">${escapeHtml(startedAt)} · ${Math.round(seconds)} s · ${escapeHtml(options)}<br>${escapeHtml(machine)} · ${escapeHtml(versions)}<br>${escapeHtml(pinning)}</p>
<h2>Against the bars of DESIGN.md</h2>
<div class="wide"><table><thead><tr><th>work</th><th class="number">median (range)</th><th>bar</th><th></th></tr></thead><tbody>
${sections.flatMap(({ verdicts }) => verdicts.map(verdictRow)).join('\n')}
</tbody></table></div>
${sections.map(sectionHtml).join('\n')}
</main></body></html>
`;
}

function verdictRow(verdict: TargetCheck): string {
  const judgement = checkTarget(verdict);
  const close = isClose(verdict) && judgement !== 'not judged' ? ' <small>rounds on both sides</small>' : '';
  const mark = judgement === 'no bar' ? '' : `<span class="${judgement.replace(' ', '-')}">${judgement}</span>${close}`;
  const label = judgement === 'no bar' ? null : (verdict.unjudged ?? verdict.caveat ?? null);
  const why = label === null ? '' : ` <small>${escapeHtml(label)}</small>`;
  return `<tr><td>${escapeHtml(verdict.what)}</td><td class="number">${escapeHtml(formatRange(verdict.values, verdict.unit))}</td><td>${escapeHtml(verdict.bar?.text ?? '')}</td><td>${mark}${why}</td></tr>`;
}

function sectionHtml({ title, charts = [], lines, notes }: ReportSection): string {
  const names = [...new Map(lines.flatMap(({ figures }) => figures.map(({ name, unit }) => [name, unit] as const)))];
  const plots = names.flatMap(([name, unit]) => {
    const bars = lines.flatMap(({ contender, figures }) => {
      const figure = figures.find((candidate) => candidate.name === name && candidate.plotted);
      if (!figure || figure.values.length === 0) return [];
      return [{ label: contender, values: figure.values, ours: contender === OURS || !hasPeers(lines) }];
    });
    return bars.length > 0 ? [plot(name, unit, bars)] : [];
  });
  const head = `<tr><th></th>${lines.map(({ contender }) => `<th class="number">${escapeHtml(contender)}</th>`).join('')}</tr>`;
  const rows = names.map(([name, unit]) => {
    const cells = lines.map(({ figures, missing }) => {
      const values = figures.find((figure) => figure.name === name)?.values ?? [];
      return `<td class="number">${values.length > 0 ? formatFigure(median(values), unit) : missing === null ? '' : '–'}</td>`;
    });
    return `<tr><td>${escapeHtml(name)}</td>${cells.join('')}</tr>`;
  });
  const missing = lines.flatMap(({ contender, missing: why }) => (why === null ? [] : [`${contender}: ${why}`]));
  return `<section><h2>${escapeHtml(title)}</h2>${plots.join('')}${charts.map(linePlot).join('')}
${names.length > 0 ? `<div class="wide"><table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table></div>` : ''}
<ul>${[...missing, ...notes].map((note) => `<li>${escapeHtml(note)}</li>`).join('')}</ul></section>`;
}

/** Sections without contenders show our own stages. */
const hasPeers = (lines: ReportSection['lines']): boolean => lines.some(({ contender }) => contender === OURS);
