import type { ComposeTexts } from './shape.ts'

export const faComposeTexts: ComposeTexts = {
  wrote: '{name} در {date} نوشت:',
  link: '{name} ({size}، تا {date})',
}
