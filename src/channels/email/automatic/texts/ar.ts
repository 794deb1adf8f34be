import type { AutomaticEmailTexts } from './shape.ts'

export const arAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'مرحبًا،\n\nشكرًا على رسالتك. لقد استلمناها وسنرد عليك في أقرب وقت ممكن. رقم الرسالة هو {{ticket.short_id}}.',
  away: 'مرحبًا،\n\nشكرًا على رسالتك. لقد استلمناها، لكن مكتبنا مغلق حاليًا. سنرد عليك فور عودتنا. رقم الرسالة هو {{ticket.short_id}}.',
}
