import type { AutomaticEmailTexts } from './shape.ts'

export const ukAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'Вітаємо!\n\nДякуємо за ваше повідомлення. Ми отримали його й відповімо якнайшвидше. Номер повідомлення: {{ticket.short_id}}.',
  away: 'Вітаємо!\n\nДякуємо за ваше повідомлення. Ми отримали його, але зараз наш офіс зачинено. Ми відповімо, щойно повернемося. Номер повідомлення: {{ticket.short_id}}.',
}
