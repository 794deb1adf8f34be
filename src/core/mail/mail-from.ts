import type { Config } from '../config/config.ts'
import { foldEmail } from '../email.ts'

/** The address in MAIL_FROM, such as `Desk <desk@example.com>`. Null without MAIL_FROM. */
export function mailFromAddress({ mailFrom }: Pick<Config, 'mailFrom'>): string | null {
  if (!mailFrom) return null
  return foldEmail((/<([^<>]*)>$/.exec(mailFrom.trim())?.[1] ?? mailFrom).trim())
}
