import type { IdentityMailTexts } from './shape.ts'

export const itIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'Il suo codice: {code}',
    title: 'Confermi il suo indirizzo email',
    paragraphs: [
      '{project} vuole verificare che questo indirizzo email sia suo. Il suo codice è {code}. Lo comunichi alla persona con cui è in contatto.',
    ],
    small: 'Il codice è valido per un’ora. Se non è in contatto con {project}, può ignorare questa email.',
  },
}
