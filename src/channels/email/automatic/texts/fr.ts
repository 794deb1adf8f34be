import type { AutomaticEmailTexts } from './shape.ts'

export const frAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'Bonjour,\n\nNous vous remercions de votre message. Nous l’avons bien reçu et vous répondrons dès que possible. Il porte le numéro {{ticket.short_id}}.',
  away: 'Bonjour,\n\nNous vous remercions de votre message. Nous l’avons bien reçu, mais nos bureaux sont actuellement fermés. Nous vous répondrons dès notre retour. Votre message porte le numéro {{ticket.short_id}}.',
}
