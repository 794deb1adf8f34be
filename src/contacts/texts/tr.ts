import type { IdentityMailTexts } from './shape.ts'

export const trIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'Kodunuz: {code}',
    title: 'E-posta adresinizi onaylayın',
    paragraphs: [
      '{project}, bu e-posta adresinin size ait olduğundan emin olmak istiyor. Kodunuz: {code}. Kodu görüştüğünüz kişiye söyleyin.',
    ],
    small: 'Kod bir saat geçerlidir. {project} ile görüşmüyorsanız bu e-postayı yok sayabilirsiniz.',
  },
}
