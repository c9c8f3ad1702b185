// The report as one page that needs nothing else.
import { median } from '../measure/statistics.ts';
import type { Report, Section, Verdict } from '../results.ts';
import { OURS } from '../scenarios/scenario.ts';
import { isClose, judge, withSpread, written } from './judge.ts';
import { linePlot } from './line-plot.ts';
import { escapeHtml, plot } from './plot.ts';
import { STYLE } from './style.ts';

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

function verdictRow(verdict: Verdict): string {
  const judgement = judge(verdict);
  const close = isClose(verdict) && judgement !== 'not judged' ? ' <small>rounds on both sides</small>' : '';
  const mark = judgement === 'no bar' ? '' : `<span class="${judgement.replace(' ', '-')}">${judgement}</span>${close}`;
  const said = judgement === 'no bar' ? null : (verdict.unjudged ?? verdict.caveat ?? null);
  const why = said === null ? '' : ` <small>${escapeHtml(said)}</small>`;
  return `<tr><td>${escapeHtml(verdict.what)}</td><td class="number">${escapeHtml(withSpread(verdict.values, verdict.unit))}</td><td>${escapeHtml(verdict.bar?.text ?? '')}</td><td>${mark}${why}</td></tr>`;
}

function sectionHtml({ title, charts = [], lines, notes }: Section): string {
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
      return `<td class="number">${values.length > 0 ? written(median(values), unit) : missing === null ? '' : '–'}</td>`;
    });
    return `<tr><td>${escapeHtml(name)}</td>${cells.join('')}</tr>`;
  });
  const missing = lines.flatMap(({ contender, missing: why }) => (why === null ? [] : [`${contender}: ${why}`]));
  return `<section><h2>${escapeHtml(title)}</h2>${plots.join('')}${charts.map(linePlot).join('')}
${names.length > 0 ? `<div class="wide"><table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table></div>` : ''}
<ul>${[...missing, ...notes].map((note) => `<li>${escapeHtml(note)}</li>`).join('')}</ul></section>`;
}

/** Sections without contenders show stages of our own. */
const hasPeers = (lines: Section['lines']): boolean => lines.some(({ contender }) => contender === OURS);
