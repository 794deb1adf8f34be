import type { IdentityMailTexts } from './shape.ts'

export const plIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'Twój kod: {code}',
    title: 'Potwierdź swój adres e-mail',
    paragraphs: [
      '{project} chce się upewnić, że ten adres e-mail należy do Ciebie. Twój kod to {code}. Podaj go osobie, z którą jesteś w kontakcie.',
    ],
    small: 'Kod jest ważny przez godzinę. Jeśli nie kontaktujesz się z {project}, zignoruj tę wiadomość.',
  },
}
