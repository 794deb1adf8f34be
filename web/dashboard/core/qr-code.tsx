import qrcode from 'qrcode-generator'

/** Black on white in both themes, because some cameras read nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const size = code.getModuleCount()
  const places = [...Array(size).keys()]
  const path = places.flatMap(row =>
    places.filter(column => code.isDark(row, column)).map(column => `M${column} ${row}h1v1h-1z`),
  )
  return (
    <svg
      role="img"
      aria-label={label}
      width={200}
      height={200}
      viewBox={`-3 -3 ${size + 6} ${size + 6}`}
      shapeRendering="crispEdges"
    >
      <rect x={-3} y={-3} width={size + 6} height={size + 6} fill="#fff" rx={1} />
      <path d={path.join('')} fill="#000" />
    </svg>
  )
}
