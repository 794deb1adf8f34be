import type { ComposeTexts } from './shape.ts'

export const trComposeTexts: ComposeTexts = {
  wrote: '{name}, {date} tarihinde şunları yazdı:',
  link: '{name} ({size}, son tarih: {date})',
}
