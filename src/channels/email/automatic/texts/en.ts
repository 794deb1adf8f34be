import type { AutomaticEmailTexts } from './shape.ts'

export const enAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'Hello,\n\nthank you for your message. We have received it and will reply as soon as we can. Its number is {{ticket.short_id}}.',
  away: 'Hello,\n\nthank you for your message. We have received it, but our office is closed at the moment. We will reply as soon as we are back. Its number is {{ticket.short_id}}.',
}
