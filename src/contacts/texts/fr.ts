import type { IdentityMailTexts } from './shape.ts'

export const frIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'Votre code : {code}',
    title: 'Confirmez votre adresse e-mail',
    paragraphs: [
      '{project} souhaite vérifier que cette adresse e-mail est bien la vôtre. Votre code est {code}. Communiquez-le à la personne avec qui vous êtes en contact.',
    ],
    small:
      'Le code est valable une heure. Si vous n’êtes pas en contact avec {project}, vous pouvez ignorer cet e-mail.',
  },
}
