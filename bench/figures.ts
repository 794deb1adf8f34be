/** Formats numbers for reports. */

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** The median time of `runs` in milliseconds, after warm-up runs. */
export async function time(run: () => Promise<unknown>, runs: number, warmUp = 2): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < warmUp + runs; n++) {
    const begun = performance.now()
    await run()
    times.push(performance.now() - begun)
  }
  return median(times.slice(warmUp))
}

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits))

/** Prints rows in columns, with numbers right-aligned. */
export function printTable(head: string[], rows: (string | number)[][]): string {
  const cells = [head, ...rows].map(row => row.map(String))
  const widths = head.map((_, column) => Math.max(...cells.map(row => row[column]!.length)))
  const isNumber = (text: string) => /^[-\d.×<≥≤ ]+$/.test(text)
  const line = (row: string[]) =>
    row
      .map((cell, column) =>
        column > 0 && isNumber(cell) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd()
  return cells.map(line).join('\n')
}
