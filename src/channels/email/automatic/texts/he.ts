import type { AutomaticEmailTexts } from './shape.ts'

export const heAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'שלום,\n\nתודה על הודעתך. קיבלנו אותה ונשיב בהקדם האפשרי. מספר ההודעה הוא {{ticket.short_id}}.',
  away: 'שלום,\n\nתודה על הודעתך. קיבלנו אותה, אך המשרד שלנו סגור כעת. נשיב מיד כשנחזור. מספר ההודעה הוא {{ticket.short_id}}.',
}
