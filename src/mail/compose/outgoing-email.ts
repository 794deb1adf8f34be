import type { Readable } from 'node:stream'
import type { MailAddress } from '../mail.ts'

/** A file that is sent with the email. */
export interface OutgoingFile {
  name: string
  type: string
  /** In bytes. */
  size: number
  /**
   * How the HTML refers to it: `src="cid:<contentId>"` or `src="/api/v1/media/<contentId>"`. Null, or one that the HTML does not
   * use: the file is attached.
   */
  contentId: string | null
  /** Called once, when the file is read. */
  open(): Promise<Readable>
}

/** A file that is too large to be attached. */
export interface OutgoingLink {
  name: string
  /** In bytes. */
  size: number
  url: string
  expiresAt: Date
}

/** An earlier message, which the email quotes. */
export interface QuotedMessage {
  author: string
  at: Date
  /** BCP 47. The language of the line that names the author. */
  language: string
  text: string
  /** Sanitised. */
  html: string | null
}

/** A message that is forwarded to a third party. */
export interface ForwardedMessage {
  from: MailAddress
  at: Date
  subject: string
  text: string
  /** Sanitised. */
  html: string | null
}

export interface DkimKey {
  domain: string
  selector: string
  /** An RSA key in PEM. */
  privateKey: string
}

/** Everything that an email is built from. The same value always gives the same bytes. */
export interface OutgoingEmail {
  /** Without angle brackets. */
  messageId: string
  date: Date
  from: MailAddress
  replyTo: MailAddress | null
  to: MailAddress[]
  /** Recipients in Bcc are only in the envelope. */
  cc: MailAddress[]
  /** As it is sent, with `Re:` if it is to have one. */
  subject: string
  /** Without angle brackets. */
  inReplyTo: string | null
  /** Those of the email that is answered, oldest first, without angle brackets. */
  references: string[]
  /** The ID that stands for the ticket, without angle brackets. */
  anchor: string | null
  /** The Thread-Index of the email that is answered, in base64; null begins a new thread. */
  threadIndex: string | null
  threadTopic: string
  /** `html` is sanitised. Without it, the HTML is made from the text. */
  content: { text: string; html: string | null }
  /** `html` is sanitised. */
  signature: { text: string; html: string | null } | null
  /** Newest first. */
  history: QuotedMessage[]
  /** Null if the email forwards nothing. */
  forwarded: ForwardedMessage | null
  files: OutgoingFile[]
  links: OutgoingLink[]
  /** `#rrggbb` */
  color: string | null
  /** BCP 47. */
  language: string
  /** Null for an email that a person wrote. */
  automatic: { kind: 'replied' | 'generated' } | null
  /** An https or mailto URL. */
  listUnsubscribe: string | null
  dkim: DkimKey | null
}
