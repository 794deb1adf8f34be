import { text } from '../core/text.ts'
import { wordError } from './recipients.tsx'

/** The text for a Deskbell code or a common Telegram error. Other errors are shown as received. */
export function wordTelegramError(error: string): string {
  const { telegramErrors, telegramRefusals } = text.messages
  const refusal = Object.entries(telegramRefusals).find(([answer]) => error.includes(answer))
  return telegramErrors[error] ?? refusal?.[1] ?? wordError(error)
}
