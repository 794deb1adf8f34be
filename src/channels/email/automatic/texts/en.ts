import type { AutomaticEmailTexts } from './shape.ts'

export const enAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'Hello,\n\nThank you for your message. We have received it and will reply as soon as we can. Your reference number is {{ticket.short_id}}.',
  away: 'Hello,\n\nThank you for your message. We have received it, but our office is closed at the moment. We will reply as soon as we are back. Your reference number is {{ticket.short_id}}.',
}
