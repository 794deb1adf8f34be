import type { IdentityMailTexts } from './shape.ts'

export const csIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'Váš kód: {code}',
    title: 'Potvrďte svou e-mailovou adresu',
    paragraphs: [
      '{project} si potřebuje ověřit, že tato e-mailová adresa patří vám. Váš kód je {code}. Sdělte jej osobě, se kterou jste v kontaktu.',
    ],
    small: 'Kód platí jednu hodinu. Pokud s {project} nejste v kontaktu, můžete tento e-mail ignorovat.',
  },
}
