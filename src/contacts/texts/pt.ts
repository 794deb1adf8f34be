import type { IdentityMailTexts } from './shape.ts'

export const ptIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'O seu código: {code}',
    title: 'Confirme o seu endereço de e-mail',
    paragraphs: [
      '{project} quer confirmar que este endereço de e-mail é seu. O seu código é {code}. Informe-o à pessoa com quem está em contato.',
    ],
    small: 'O código é válido por uma hora. Se não está em contato com {project}, pode ignorar este e-mail.',
  },
}
