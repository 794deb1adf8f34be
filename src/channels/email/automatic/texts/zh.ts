import type { AutomaticEmailTexts } from './shape.ts'

export const zhAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement: '您好：\n\n感谢您的来信。我们已经收到，会尽快回复您。您的来信编号是 {{ticket.short_id}}。',
  away: '您好：\n\n感谢您的来信。我们已经收到，但目前不在工作时间。我们上班后会尽快回复您。您的来信编号是 {{ticket.short_id}}。',
}
