import { expect, test } from 'bun:test';
import { parsePrometheus } from '../../testing/prometheus.fixture.ts';
import { CountsByValue, Histogram, Metrics } from './metrics.ts';

test('renders counters, gauges and labels in the Prometheus format', () => {
  const metrics = new Metrics();
  metrics.counter('a_total', 'All of it', () => 5);
  metrics.gauge('b', 'By label', () => [
    [{ name: 'plain' }, 1.5],
    [{ name: 'quote " slash \\ line \n end' }, -2],
  ]);
  metrics.counter('none_total', 'Nothing yet', () => []);
  const families = parsePrometheus(metrics.render());
  expect(families.get('a_total')).toMatchObject({
    type: 'counter',
    samples: [{ name: 'a_total', labels: {}, value: 5 }],
  });
  expect(families.get('b')!.samples.map(({ labels, value }) => [labels.name, value])).toEqual([
    ['plain', 1.5],
    ['quote " slash \\ line \n end', -2],
  ]);
  expect(families.get('none_total')!.samples).toEqual([]);
});

test('a histogram is cumulative, and its +Inf bucket equals its count', () => {
  const metrics = new Metrics();
  const histogram = new Histogram();
  metrics.histogram('h_seconds', 'Times', histogram);
  for (const seconds of [0, 0.0001, 0.0002, 0.5, 99]) histogram.observe(seconds);
  const { samples } = parsePrometheus(metrics.render()).get('h_seconds')!;
  const bucket = (le: string) => samples.find(({ labels }) => labels.le === le)!.value;
  expect([bucket('0.0001'), bucket('0.00025'), bucket('1'), bucket('2.5'), bucket('+Inf')]).toEqual([2, 3, 4, 4, 5]);
  expect(samples.find(({ name }) => name === 'h_seconds_count')!.value).toBe(5);
  expect(samples.find(({ name }) => name === 'h_seconds_sum')!.value).toBeCloseTo(99.5003, 6);
});

test('counts by value and omits values that never occurred', () => {
  const counts = new CountsByValue(600);
  for (const status of [304, 200, 200, 599]) counts.add(status);
  expect([...counts]).toEqual([
    [200, 2],
    [304, 1],
    [599, 1],
  ]);
});
