import type { IdentityMailTexts } from './shape.ts'

export const ruIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'Ваш код: {code}',
    title: 'Подтвердите адрес электронной почты',
    paragraphs: [
      '{project} хочет убедиться, что этот адрес электронной почты принадлежит вам. Ваш код: {code}. Сообщите его сотруднику, с которым вы общаетесь.',
    ],
    small: 'Код действует один час. Если вы не обращались в {project}, просто не отвечайте на это письмо.',
  },
}
