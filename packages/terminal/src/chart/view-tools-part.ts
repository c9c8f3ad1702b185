// Tools of the view: go to a date, save the chart as an image or its bars as CSV, and the whole screen for the chart. The panels are
// loaded when one is opened.
import { iconButton } from './frame/chart-buttons.ts';
import type { ChartHost, ChartPart } from './frame/chart-part.ts';
import { lazyPanel } from './lazy-panel.ts';

export function newViewTools(host: ChartHost): ChartPart {
  const date = iconButton('date', 'Go to date', () => {});
  lazyPanel(date, host, 'dialog', ({ openDatePanel }) => openDatePanel(date, host));
  host.addViewTool(date);
  const save = iconButton('save', 'Save', () => {});
  lazyPanel(save, host, 'menu', ({ openSaveMenu }) => openSaveMenu(save, host));
  host.addViewTool(save);
  addFullscreen(host);
  return {};
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
  host.addViewTool(button);
}
