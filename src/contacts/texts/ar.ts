import type { IdentityMailTexts } from './shape.ts'

export const arIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'رمزك: {code}',
    title: 'تأكيد عنوان بريدك الإلكتروني',
    paragraphs: [
      'يريد {project} التأكد من أن عنوان البريد الإلكتروني هذا لك. رمزك هو {code}. أخبر به الشخص الذي تتواصل معه.',
    ],
    small: 'الرمز صالح لمدة ساعة واحدة. إذا لم تكن على تواصل مع {project}، فيمكنك تجاهل هذه الرسالة.',
  },
}
