import type { AutomaticEmailTexts } from './shape.ts'

export const plAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'Dzień dobry,\n\ndziękujemy za wiadomość. Otrzymaliśmy ją i odpowiemy najszybciej, jak to możliwe. Jej numer to {{ticket.short_id}}.',
  away: 'Dzień dobry,\n\ndziękujemy za wiadomość. Otrzymaliśmy ją, ale nasze biuro jest teraz nieczynne. Odpowiemy, gdy tylko wrócimy. Numer wiadomości to {{ticket.short_id}}.',
}
