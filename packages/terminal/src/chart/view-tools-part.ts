// Tools of the view: go to a date, save the chart as an image or its bars as CSV, and the whole screen for the chart. The panels are
// loaded when one is opened.
import { iconButton } from './frame/chart-buttons.ts';
import type { ChartHost, ChartPart } from './frame/chart-part.ts';
import { toggleMaximised } from './layers/maximised-pane.ts';
import { lazyPanel } from './lazy-panel.ts';

export function newViewTools(host: ChartHost): ChartPart {
  const date = iconButton('date', 'Go to date', () => {});
  lazyPanel(date, host, 'dialog', ({ openDatePanel }) => openDatePanel(date, host));
  host.addTool(date, 'menu');
  const save = iconButton('save', 'Save image or CSV', () => {});
  lazyPanel(save, host, 'menu', ({ openSaveMenu }) => openSaveMenu(save, host));
  host.addTool(save, 'menu');
  addFullscreen(host);
  return {
    menu: () => {
      const panes = host.chart.panes();
      const run = (): void => toggleMaximised(host.chart, panes[0]!);
      return panes.length > 1 ? [{ text: 'Maximise or restore the prices', run }] : [];
    },
  };
}

/** The page becomes full screen, too, because panels lie outside of the chart; if the browser refuses, the chart fills the page. */
function addFullscreen(host: ChartHost): void {
  const button = iconButton('fullscreen', 'Fullscreen', () => set(!isOn));
  let isOn = false;
  const panel = (): HTMLElement | null => host.stage.parentElement;
  const show = (on: boolean): void => {
    isOn = on;
    panel()?.toggleAttribute('data-fullscreen', on);
    button.setAttribute('aria-pressed', String(on));
  };
  const set = (on: boolean): void => {
    show(on);
    if (on) document.documentElement.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) void document.exitFullscreen();
  };
  const { signal } = host;
  document.addEventListener('fullscreenchange', () => isOn && !document.fullscreenElement && show(false), { signal });
  document.addEventListener(
    'keydown',
    (event) => event.key === 'Escape' && isOn && !event.defaultPrevented && set(false),
    {
      signal,
    },
  );
  signal.addEventListener('abort', () => isOn && set(false));
  button.setAttribute('aria-pressed', 'false');
  host.addTool(button);
}
