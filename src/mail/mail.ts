/** What a mail says, read from its raw bytes. Nothing here knows projects, tickets or the database. */

export interface MailAddress {
  /** Lower-case domain; the local part as written. */
  address: string
  /** Null if there is none, or if it only repeats an address. */
  name: string | null
}

/** A file of a mail: its bytes are in a temporary file, because a mail may have 150 MB. */
export interface MailFile {
  /** Safe to show and to store: no path, no control characters, no override of the writing direction; at most 255 characters. */
  filename: string
  contentType: string
  /** Bytes, decoded. */
  size: number
  /** SHA-256 of the decoded bytes, in hex. */
  sha256: string
  /** Path of the temporary file with the decoded bytes. */
  path: string
  /** Without angle brackets; null if there is none. */
  contentId: string | null
  /** Whether the HTML shows it in place (by `cid:`); the HTML then has `data-file="<index in files>"` on the image. */
  isInline: boolean
}

export interface MailHeaders {
  /** The ID without angle brackets; null if there is none. */
  messageId: string | null
  inReplyTo: string[]
  /** Oldest first, as in the header; at most 1,000. */
  references: string[]
  /** The decoded bytes of Thread-Index in hex; null if there is none. */
  threadIndex: string | null
  /** ISO 8601 in UTC; null if there is none or it is no possible date. */
  date: string | null
  subject: string
  from: MailAddress | null
  sender: MailAddress | null
  replyTo: MailAddress[]
  to: MailAddress[]
  cc: MailAddress[]
  /** Addresses to which the mail was delivered: Delivered-To, X-Original-To, Envelope-To, X-Envelope-To. */
  deliveredTo: string[]
  /** Return-Path; '' for `<>`, null if there is no such header. */
  returnPath: string | null
  /** All headers, unfolded and decoded, by lower-case name, in order: for rules about machines and for the source view. */
  all: Record<string, string[]>
}

/** Parts that say something to programs: delivery reports, receipts, complaints. */
export interface MailReport {
  /** Content type in lower case: `message/delivery-status`, `message/disposition-notification`, `message/feedback-report`, `text/rfc822-headers`, `message/rfc822`. */
  contentType: string
  /** At most 64 KiB of the decoded bytes. */
  text: string
}

export interface Invitation {
  /** For instance "Invitation: Kick-off, 2026-03-04 10:00 UTC, Room 5". */
  summary: string
  /** What the event is called; '' if it has no name. */
  title: string
  location: string
  /** ISO 8601 in UTC, a day without a time, or a time without a zone; null if there is none. */
  start: string | null
  /** In upper case: REQUEST, CANCEL, REPLY, … */
  method: string
}

export interface Mail {
  headers: MailHeaders
  /** Plain text, with `\n`; '' if there is none. Well-formed UTF-16 without U+0000. Quotes are still in it. */
  text: string
  /** HTML, sanitised; null if the mail has none. Quotes are still in it; remote pictures have `data-src` in place of `src`. */
  html: string | null
  /** The charset in which the text was read (WHATWG name, lower case); null if there is no text. */
  charset: string | null
  files: MailFile[]
  reports: MailReport[]
  /** The first event of the calendar in the mail, whose file is in `files`; null if there is none. */
  invitation: Invitation | null
  encrypted: 'smime' | 'pgp' | null
  signature: 'smime' | 'pgp' | null
  /** Headers and text of a forwarded mail in an attached message/rfc822, if there is exactly one; null otherwise. */
  attached: { headers: MailHeaders; text: string; html: string | null } | null
  /** Which reader succeeded: `source` if none did, and `text` is then the source of the mail. */
  reader: 'mailsplit' | 'postal-mime' | 'source'
  /**
   * What was left out because of a limit, or because no reader could read it: `parts`, `depth`, `files`, `headers`, `addresses`,
   * `references`, `text` (its beginning is shown, the whole text is in `files`), `html`, `reports`, `mail` (only the source is shown).
   */
  truncated: string[]
}
