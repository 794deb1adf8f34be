interface FlowedLine {
  depth: number
  text: string
  continues: boolean
}

const quoteMarks = /^>{1,100}/

function readLine(line: string, delSp: boolean): FlowedLine {
  const depth = quoteMarks.exec(line)?.[0].length ?? 0
  const unstuffed = line.slice(depth).replace(/^ /, '')
  const isSeparator = unstuffed === '-- '
  const continues = unstuffed.endsWith(' ') && !isSeparator
  return { depth, text: continues && delSp ? unstuffed.slice(0, -1) : unstuffed, continues }
}

/** Joins the lines of a `format=flowed` text (RFC 3676) into paragraphs and keeps quote marks: `>` and a space. */
export function unflow(text: string, delSp: boolean): string {
  const lines: string[] = []
  let parts: string[] = []
  let depth = 0
  const close = () => {
    if (parts.length)
      lines.push(
        `${'>'.repeat(depth)}${depth && parts.some(part => part !== '') ? ' ' : ''}${parts.join('')}`,
      )
    parts = []
  }
  for (const line of text.split('\n').map(one => readLine(one, delSp))) {
    if (line.depth !== depth || line.text === '-- ') close()
    depth = line.depth
    parts.push(line.text)
    if (!line.continues) close()
  }
  close()
  return lines.join('\n')
}
