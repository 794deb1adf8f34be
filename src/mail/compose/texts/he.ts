import type { ComposeTexts } from './shape.ts'

export const heComposeTexts: ComposeTexts = {
  wrote: 'בתאריך {date}, {name} כתב/ה:',
  link: '{name} ({size}, עד {date})',
}
