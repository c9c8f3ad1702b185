// Data of a histogram that may have no values yet. The library looks for the bar under the pointer even if there is none, and
// throws; it does not look at what is hidden.
import type { HistogramData, ISeriesApi, Time, WhitespaceData } from 'lightweight-charts';

type Point = HistogramData<Time> | WhitespaceData<Time>;
type Histogram = ISeriesApi<'Histogram'>;

const withoutValues = new WeakSet<Histogram>();
const hasValue = (point: Point): boolean => 'value' in point;

export function setHistogram(series: Histogram, data: Point[]): void {
  const empty = !data.some(hasValue);
  if (empty) hide(series);
  series.setData(data);
  if (!empty) show(series);
}

export function updateHistogram(series: Histogram, point: Point, historical: boolean): void {
  series.update(point, historical);
  if (hasValue(point)) show(series);
}

function hide(series: Histogram): void {
  if (withoutValues.has(series)) return;
  withoutValues.add(series);
  series.applyOptions({ visible: false });
}

function show(series: Histogram): void {
  if (withoutValues.delete(series)) series.applyOptions({ visible: true });
}
