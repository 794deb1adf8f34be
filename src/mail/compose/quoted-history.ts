import { shortenText } from '../../core/text/shorten-text.ts'
import type { QuotedMessage } from './outgoing-email.ts'

/** Characters of text or HTML. Gmail shows only the first 102 kB of an email. */
const maxHistory = 48 * 1024

const lengthOf = ({ text, html }: QuotedMessage): number => Math.max(text.length, html?.length ?? 0)

/** The newest messages that fit. Of a newest message that is too long, the beginning of the text is quoted. */
export function limitHistory(history: QuotedMessage[]): QuotedMessage[] {
  const kept: QuotedMessage[] = []
  let left = maxHistory
  for (const message of history) {
    left -= lengthOf(message)
    if (left < 0) break
    kept.push(message)
  }
  const [newest] = history
  if (kept.length > 0 || !newest) return kept
  return [{ ...newest, text: `${shortenText(newest.text, maxHistory).kept} …`, html: null }]
}
