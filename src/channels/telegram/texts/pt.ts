import type { TelegramTexts } from './shape.ts'

export const ptTelegram: TelegramTexts = {
  greeting: 'Olá! Escreva-nos aqui e responderemos assim que possível.',
  away: 'Obrigado pela sua mensagem. O nosso escritório está fechado neste momento. Responderemos assim que voltarmos.',
  closed: 'Encerrámos o seu pedido {{ticket.short_id}}. Escreva novamente se precisar de mais alguma coisa.',
  rate: 'Está satisfeito com a nossa ajuda?',
  thanks_for_rating: 'Obrigado pela sua avaliação.',
  share_phone: 'Partilhar o meu número de telefone',
  thanks_for_phone: 'Obrigado, já temos o seu número de telefone.',
  new_ticket: 'A sua próxima mensagem inicia uma nova conversa.',
  ask_continue:
    'Quer continuar aqui uma conversa do site? Pressione o botão apenas se abriu esta ligação no site por si mesmo.',
  continue_ticket: 'Continuar a conversa',
  continues: 'A sua próxima mensagem continua a conversa.',
  no_groups: 'Não posso ajudar em grupos. Escreva-me diretamente, por favor.',
  file_on_server:
    'O servidor deste bot funciona com --local e guarda o ficheiro no seu próprio disco, por isso não pode ser mostrado aqui.',
  command_new: 'Iniciar uma nova conversa',
  command_start: 'Escrever-nos',
}
