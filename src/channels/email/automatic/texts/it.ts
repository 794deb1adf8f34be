import type { AutomaticEmailTexts } from './shape.ts'

export const itAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'Buongiorno,\n\ngrazie per il suo messaggio. Lo abbiamo ricevuto e le risponderemo appena possibile. Il suo numero è {{ticket.short_id}}.',
  away: 'Buongiorno,\n\ngrazie per il suo messaggio. Lo abbiamo ricevuto, ma al momento il nostro ufficio è chiuso. Le risponderemo appena riapriremo. Il suo numero è {{ticket.short_id}}.',
}
