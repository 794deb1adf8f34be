import { text } from '../core/text.ts'
import type { Ticket } from './queries.ts'

type Known = Pick<Ticket['contact'], 'full_name' | 'email'> & {
  telegram_id?: number | null
  phone?: string | null
}

/** The best known name of a contact. */
export const contactNameOf = ({ full_name, email, phone, telegram_id }: Known): string =>
  full_name || email || phone || (telegram_id ? `Telegram ${telegram_id}` : text.inbox.noName)
