import { pageText } from '../core/page-text.ts'

/** A code that this page does not know, such as one of a newer server, has only the server's sentence in English. */
export const wordFault = ({
  code,
  values,
  text,
}: {
  code: string
  values: Record<string, string>
  text: string
}): string => pageText.mailboxes.faults[code]?.(values) ?? text
