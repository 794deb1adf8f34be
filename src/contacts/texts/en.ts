import type { IdentityMailTexts } from './shape.ts'

export const enIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'Your code: {code}',
    title: 'Confirm your email address',
    paragraphs: [
      '{project} would like to know that this email address is yours. Your code is {code}. Give it to the person you are in contact with.',
    ],
    small:
      'The code is valid for one hour. If you are not in contact with {project}, you can ignore this email.',
  },
}
