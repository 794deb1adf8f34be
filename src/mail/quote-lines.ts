/** A line of a mail, of its text or of its HTML, with what the search for quotes must know about it. */
export interface QuoteLine {
  /** Without the `>` in front of it. */
  text: string
  /** How often it is quoted: the number of `>`, or of block quotes around it. */
  depth: number
  /** Whether a mail program marked it as a quote or as the beginning of one, for instance by the class `gmail_quote`. */
  isMarked: boolean
  /** Whether it is in a marked element, but in no block quote in it: an answer may have been written there. */
  isLoose: boolean
  hasPicture: boolean
}

function splitMarks(line: string): { depth: number; text: string } {
  let depth = 0
  let at = 0
  for (; at < line.length; at++) {
    if (line[at] === '>') depth++
    else if (line[at] !== ' ' || (depth === 0 && at > 1)) break
  }
  return depth === 0 ? { depth, text: line } : { depth, text: line.slice(at) }
}

/** The lines of a plain text, in which `>` marks a quote. */
export const readTextLines = (text: string): QuoteLine[] =>
  text.split('\n').map(line => ({ ...splitMarks(line), isMarked: false, isLoose: false, hasPicture: false }))
