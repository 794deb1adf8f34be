import type { AutomaticEmailTexts } from './shape.ts'

export const ptAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'Olá,\n\nAgradecemos a sua mensagem. Já a recebemos e responderemos assim que possível. O número da mensagem é {{ticket.short_id}}.',
  away: 'Olá,\n\nAgradecemos a sua mensagem. Já a recebemos, mas neste momento estamos fora do horário de atendimento. Responderemos assim que voltarmos. O número da mensagem é {{ticket.short_id}}.',
}
