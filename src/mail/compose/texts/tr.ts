import type { ComposeTexts } from './shape.ts'

export const trComposeTexts: ComposeTexts = {
  wrote: '{name}, {date} tarihinde şunları yazdı:',
  link: '{name} ({size}, son tarih: {date})',
  forwarded: 'Yönlendirilen ileti',
  from: 'Kimden',
  date: 'Tarih',
  subject: 'Konu',
  conversation: '{project} ile görüşmeniz',
  transcript: '{project} ile görüşmenizin bir kopyası aşağıdadır.',
}
