import type { AutomaticEmailTexts } from './shape.ts'

export const deAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'Guten Tag,\n\nvielen Dank für Ihre Nachricht. Wir haben sie erhalten und antworten Ihnen so bald wie möglich. Sie hat die Nummer {{ticket.short_id}}.',
  away: 'Guten Tag,\n\nvielen Dank für Ihre Nachricht. Wir haben sie erhalten, sind aber zurzeit nicht im Büro. Sobald wir zurück sind, antworten wir Ihnen. Ihre Nachricht hat die Nummer {{ticket.short_id}}.',
}
