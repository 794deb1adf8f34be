import { text } from '../core/text.ts'

/** The error message for the visitor; empty if the code means nothing to them. */
export function sayFailure(code: string | undefined): string {
  const words: Record<string, string> = {
    VISITOR_BLOCKED: text.value.blocked,
    TICKET_LIMIT_REACHED: text.value.limit,
    VALIDATION_ERROR: text.value.tooLong,
    FILE_GONE: text.value.fileFailed,
    LINK_NOT_FOUND: text.value.linkOver,
    LINK_EXPIRED: text.value.linkOver,
  }
  return words[code ?? ''] ?? ''
}
