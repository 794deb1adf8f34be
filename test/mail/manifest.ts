import { readFileSync } from 'node:fs'

/** The emails in `test/mail/corpus` and the expected result of each. `manifest.json` explains its fields. */

export interface ExpectedFile {
  filename: string | null
  /** Decoded bytes; null if the number is not checked. */
  size: number | null
  content_type?: string
  name_ends?: string
  name_not?: string[]
  inline?: boolean
  may_be_missing?: boolean
}

export interface Expected {
  threading: { target: string; reason: string }
  class: string
  bounce?: { of: string; recipient: string; status: string | null; permanent: boolean } | null
  mailbox?: string
  contact: { email: string; name: string | null } | null
  reopens?: boolean
  is_spam?: boolean
  authentication?: string
  related?: string
  answer_to?: string[]
  sender?: { type: string }
  attachments: ExpectedFile[]
  subject?: string | null
  first_line?: string | null
  charset?: string
  visible_contains: string[]
  visible_not: string[]
  folded_contains?: string[]
  html_not?: string[]
  signature?: string
  encrypted?: string
}

export interface MailCase {
  file: string
  kind: string
  bytes: number
  sha256: string
  expect: Expected
}

export const corpus = new URL('./corpus/', import.meta.url)

export const { cases, setup } = JSON.parse(readFileSync(new URL('manifest.json', corpus), 'utf8')) as {
  cases: MailCase[]
  setup: Pick<MailCase, 'file' | 'bytes' | 'sha256'>[]
}
