import type { AutomaticEmailTexts } from './shape.ts'

export const esAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'Hola:\n\nGracias por su mensaje. Lo hemos recibido y le responderemos lo antes posible. Su número es {{ticket.short_id}}.',
  away: 'Hola:\n\nGracias por su mensaje. Lo hemos recibido, pero en este momento nuestra oficina está cerrada. Le responderemos en cuanto volvamos. Su número es {{ticket.short_id}}.',
}
