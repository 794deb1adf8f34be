import type { AutomaticEmailTexts } from './shape.ts'

export const ruAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'Здравствуйте!\n\nСпасибо за ваше сообщение. Мы получили его и ответим как можно скорее. Номер сообщения: {{ticket.short_id}}.',
  away: 'Здравствуйте!\n\nСпасибо за ваше сообщение. Мы получили его, но сейчас наш офис закрыт. Мы ответим, как только вернёмся. Номер сообщения: {{ticket.short_id}}.',
}
