import type { TelegramTexts } from './shape.ts'

export const itTelegram: TelegramTexts = {
  greeting: 'Buongiorno! Ci scriva qui, risponderemo appena possibile.',
  away: 'Grazie per il suo messaggio. Il nostro ufficio al momento è chiuso. Risponderemo appena rientrati.',
  closed: 'Abbiamo chiuso la sua richiesta {{ticket.short_id}}. Ci scriva di nuovo se ha bisogno di altro.',
  rate: 'È soddisfatto del nostro aiuto?',
  thanks_for_rating: 'Grazie per la sua valutazione.',
  share_phone: 'Condividi il mio numero di telefono',
  thanks_for_phone: 'Grazie, abbiamo il suo numero di telefono.',
  new_ticket: 'Il suo prossimo messaggio inizierà una nuova conversazione.',
  ask_continue:
    'Vuole continuare qui una conversazione del sito web? Prema il pulsante solo se ha aperto questo link sul sito di persona.',
  continue_ticket: 'Continua la conversazione',
  continues: 'Il Suo prossimo messaggio continua la conversazione.',
  no_groups: 'Non posso aiutare nei gruppi. Mi scriva direttamente, per favore.',
  file_on_server:
    'Il server di questo bot funziona con --local e conserva il file sul proprio disco, quindi non può essere mostrato qui.',
  command_new: 'Inizia una nuova conversazione',
  command_start: 'Scrivici',
}
