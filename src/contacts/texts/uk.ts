import type { IdentityMailTexts } from './shape.ts'

export const ukIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'Ваш код: {code}',
    title: 'Підтвердьте адресу електронної пошти',
    paragraphs: [
      '{project} хоче переконатися, що ця адреса електронної пошти належить вам. Ваш код: {code}. Повідомте його працівнику, з яким ви спілкуєтеся.',
    ],
    small: 'Код дійсний одну годину. Якщо ви не зверталися до {project}, не відповідайте на цей лист.',
  },
}
