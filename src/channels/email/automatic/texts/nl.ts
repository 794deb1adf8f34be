import type { AutomaticEmailTexts } from './shape.ts'

export const nlAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'Goedendag,\n\nBedankt voor uw bericht. We hebben het ontvangen en antwoorden zo snel mogelijk. Het nummer is {{ticket.short_id}}.',
  away: 'Goedendag,\n\nBedankt voor uw bericht. We hebben het ontvangen, maar ons kantoor is op dit moment gesloten. We antwoorden zodra we terug zijn. Het nummer is {{ticket.short_id}}.',
}
