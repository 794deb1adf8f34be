import type { TelegramTexts } from './shape.ts'

export const esTelegram: TelegramTexts = {
  greeting: '¡Hola! Escríbanos aquí y le responderemos lo antes posible.',
  away: 'Gracias por su mensaje. Nuestra oficina está cerrada en este momento. Le responderemos en cuanto volvamos.',
  closed: 'Hemos cerrado su solicitud {{ticket.short_id}}. Escríbanos de nuevo si necesita algo más.',
  rate: '¿Está satisfecho con nuestra ayuda?',
  thanks_for_rating: 'Gracias por su valoración.',
  share_phone: 'Compartir mi número de teléfono',
  thanks_for_phone: 'Gracias, ya tenemos su número de teléfono.',
  new_ticket: 'Su próximo mensaje iniciará una conversación nueva.',
  ask_continue:
    '¿Quiere continuar aquí una conversación del sitio web? Pulse el botón solo si ha abierto este enlace usted mismo en el sitio web.',
  continue_ticket: 'Continuar la conversación',
  continues: 'Su próximo mensaje continúa la conversación.',
  no_groups: 'No puedo ayudar en grupos. Escríbame directamente, por favor.',
  file_on_server:
    'El servidor de este bot funciona con --local y guarda el archivo en su propio disco, por eso no se puede mostrar aquí.',
  command_new: 'Iniciar una conversación nueva',
  command_start: 'Escribirnos',
}
