import type { IdentityMailTexts } from './shape.ts'

export const nlIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'Uw code: {code}',
    title: 'Bevestig uw e-mailadres',
    paragraphs: [
      '{project} wil zeker weten dat dit e-mailadres van u is. Uw code is {code}. Geef deze door aan de persoon met wie u contact heeft.',
    ],
    small: 'De code is een uur geldig. Als u geen contact heeft met {project}, kunt u deze e-mail negeren.',
  },
}
