// What a number in a message can mean: `34,440` is thousands or decimals, `1.915,50` only one thing.

/** Without repeated values. Empty if it is no number. Spaces and apostrophes separate thousands; `k` multiplies by thousand. */
export function numberReadings(written: string): readonly number[] {
  if (written.endsWith('k')) return numberReadings(written.slice(0, -1)).map((value) => Math.round(value * 1e6) / 1e3);
  const text = written.replaceAll(' ', "'");
  const plain = text.replaceAll("'", '');
  if (text.includes("'") && !/^\d{1,3}(?:'\d{3})+(?:[.,]\d+)?$/.test(text)) return [];
  const readings = [readAs(plain, '.', ','), readAs(plain, ',', '.')].filter((value) => value !== null);
  return [...new Set(readings)];
}

/** The number if `point` separates its decimals and `group` its thousands. */
function readAs(text: string, point: string, group: string): number | null {
  const [whole, decimals, ...more] = text.split(point);
  if (more.length > 0) return null;
  const groups = whole!.split(group);
  const isGrouped = groups.length > 1;
  if (isGrouped && !(/^[1-9]\d{0,2}$/.test(groups[0]!) && groups.slice(1).every((part) => /^\d{3}$/.test(part))))
    return null;
  if (decimals !== undefined && !/^\d+$/.test(decimals)) return null;
  return Number(`${groups.join('') || '0'}.${decimals ?? '0'}`);
}
