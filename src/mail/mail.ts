/** The types of a parsed email. They are independent of projects, tickets and the database. */

export interface MailAddress {
  /** The domain in lower case, the local part as written. */
  address: string
  /** Null if there is none or it is only an address. */
  name: string | null
}

/** An attachment or inline image. Its bytes are in a temporary file, because an email may have 150 MB. */
export interface MailFile {
  /** Safe to show and store: no path, control characters or bidirectional formatting; at most 255 bytes of UTF-8. */
  filename: string
  contentType: string
  /** Decoded bytes. */
  size: number
  /** SHA-256 of the decoded bytes, in hex. */
  sha256: string
  /** Path of the temporary file with the decoded bytes. */
  path: string
  /** Without angle brackets; null if there is none. */
  contentId: string | null
  /** Whether the HTML shows it. The image then has `data-file="<index in files>"`. */
  isInline: boolean
}

export interface HeaderField {
  name: string
  value: string
}

export interface MailHeaders {
  /** Without angle brackets; null if there is none. */
  messageId: string | null
  inReplyTo: string[]
  /** In the order of the header, oldest first; at most 1,000. */
  references: string[]
  /** The decoded bytes of Thread-Index in hex; null if there is none. */
  threadIndex: string | null
  /** ISO 8601 in UTC; null if there is none or it is invalid. */
  date: string | null
  subject: string
  from: MailAddress | null
  sender: MailAddress | null
  replyTo: MailAddress[]
  to: MailAddress[]
  cc: MailAddress[]
  /** From Delivered-To, X-Original-To, Envelope-To and X-Envelope-To. */
  deliveredTo: string[]
  /** Return-Path; '' for `<>`, null if there is no such header. */
  returnPath: string | null
  /** All headers by lower-case name, unfolded and decoded. Used for classification. */
  all: Record<string, string[]>
  /** The same in the order of the email, with names as written. */
  list: HeaderField[]
}

/** Machine-readable parts: delivery status notifications, read receipts, spam complaints, returned emails. */
export interface MailReport {
  /** Content type in lower case: `message/delivery-status`, `message/disposition-notification`, `message/feedback-report`, `text/rfc822-headers`, `message/rfc822`. */
  contentType: string
  /** At most 64 KiB of the decoded bytes. */
  text: string
}

export interface Invitation {
  /** For instance "Invitation: Kick-off, 2026-03-04 10:00 UTC, Room 5". */
  summary: string
  /** The event's title; '' if it has none. */
  title: string
  location: string
  /** ISO 8601 in UTC, a date without a time, or a time without a time zone; null if there is none. */
  start: string | null
  /** In upper case: REQUEST, CANCEL, REPLY, … */
  method: string
}

export interface Mail {
  headers: MailHeaders
  /** Plain text with `\n`; '' if there is none. Well-formed UTF-16 without U+0000. Includes quoted text. */
  text: string
  /** Sanitised HTML; null if the email has none. Includes quoted text. Remote images have `data-src` instead of `src`. */
  html: string | null
  /** The charset used to decode the text (WHATWG name, lower case); null if there is no text. */
  charset: string | null
  files: MailFile[]
  reports: MailReport[]
  /** The first event of the attached calendar, which is also in `files`; null if there is none. */
  invitation: Invitation | null
  encrypted: 'smime' | 'pgp' | null
  signature: 'smime' | 'pgp' | null
  /** The attached email (message/rfc822), if there is exactly one; otherwise null. */
  attached: { headers: MailHeaders; text: string; html: string | null } | null
  /** The reader that succeeded. `source`: none did, and `text` is the source of the email. */
  reader: 'mailsplit' | 'postal-mime' | 'source'
  /**
   * What was left out because of a limit or because it could not be parsed: `parts`, `depth`, `files`, `headers`, `addresses`,
   * `references`, `text` (its beginning is shown, the whole text is in `files`), `html`, `reports`, `mail` (only the source is shown).
   */
  truncated: string[]
}
