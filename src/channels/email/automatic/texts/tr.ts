import type { AutomaticEmailTexts } from './shape.ts'

export const trAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'Merhaba,\n\nMesajınız için teşekkür ederiz. Mesajınızı aldık ve en kısa sürede yanıtlayacağız. Mesajınızın numarası: {{ticket.short_id}}.',
  away: 'Merhaba,\n\nMesajınız için teşekkür ederiz. Mesajınızı aldık, ancak ofisimiz şu anda kapalı. Döner dönmez yanıtlayacağız. Mesajınızın numarası: {{ticket.short_id}}.',
}
