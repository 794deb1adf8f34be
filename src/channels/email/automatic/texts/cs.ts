import type { AutomaticEmailTexts } from './shape.ts'

export const csAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'Dobrý den,\n\nděkujeme za vaši zprávu. Dostali jsme ji a odpovíme co nejdříve. Její číslo je {{ticket.short_id}}.',
  away: 'Dobrý den,\n\nděkujeme za vaši zprávu. Dostali jsme ji, ale naše kancelář je nyní zavřená. Odpovíme, jakmile se vrátíme. Číslo zprávy je {{ticket.short_id}}.',
}
