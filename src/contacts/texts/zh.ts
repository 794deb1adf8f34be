import type { IdentityMailTexts } from './shape.ts'

export const zhIdentityMails: IdentityMailTexts = {
  code: {
    subject: '您的验证码：{code}',
    title: '确认您的电子邮件地址',
    paragraphs: [
      '{project} 需要确认此电子邮件地址属于您。您的验证码是 {code}。请将它告诉正在与您联系的工作人员。',
    ],
    small: '验证码一小时内有效。如果您没有与 {project} 联系，请忽略此邮件。',
  },
}
