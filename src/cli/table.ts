/** Columns of equal width, two spaces apart. */
export function drawTable(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? []
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Records as a table with their field names as the header, or `empty` if there are none. */
export function drawRecords(records: object[], empty: string): string {
  if (!records[0]) return empty
  const names = Object.keys(records[0])
  const rows = records.map(record => Object.values(record).map(show))
  return drawTable([names.map(name => name.toUpperCase()), ...rows])
}

const show = (value: unknown): string => (value === null ? '-' : String(value))
