/** A line of the text or HTML of an email, with the properties that quote detection needs. */
export interface QuoteLine {
  /** Without leading `>`. */
  text: string
  /** The quote depth: the number of `>` or of surrounding block quotes. */
  depth: number
  /** Whether a mail program marked it as quoted text or as its heading, for instance with the class `gmail_quote`. */
  isMarked: boolean
  /** Whether it is in a marked element but not in a block quote inside it. A reply may have been written there. */
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

/** Splits plain text into lines. `>` marks quoted text. */
export const readTextLines = (text: string): QuoteLine[] =>
  text.split('\n').map(line => ({ ...splitMarks(line), isMarked: false, isLoose: false, hasPicture: false }))
