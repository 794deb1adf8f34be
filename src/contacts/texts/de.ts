import type { IdentityMailTexts } from './shape.ts'

export const deIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'Ihr Code: {code}',
    title: 'Bestätigen Sie Ihre E-Mail-Adresse',
    paragraphs: [
      '{project} möchte sicher sein, dass diese E-Mail-Adresse Ihnen gehört. Ihr Code ist {code}. Nennen Sie ihn der Person, mit der Sie in Kontakt sind.',
    ],
    small:
      'Der Code gilt eine Stunde. Wenn Sie keinen Kontakt zu {project} haben, können Sie diese E-Mail ignorieren.',
  },
}
