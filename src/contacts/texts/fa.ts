import type { IdentityMailTexts } from './shape.ts'

export const faIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'کد شما: {code}',
    title: 'نشانی ایمیل خود را تأیید کنید',
    paragraphs: [
      '{project} می‌خواهد مطمئن شود که این نشانی ایمیل متعلق به شماست. کد شما {code} است. آن را به فردی که با او در تماس هستید بگویید.',
    ],
    small:
      'این کد یک ساعت اعتبار دارد. اگر با {project} در تماس نیستید، می‌توانید این ایمیل را نادیده بگیرید.',
  },
}
