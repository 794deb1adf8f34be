import type { TelegramTexts } from './shape.ts'

export const heTelegram: TelegramTexts = {
  greeting: 'שלום! כתבו לנו כאן ונשיב בהקדם האפשרי.',
  away: 'תודה על הודעתכם. המשרד שלנו סגור כעת. נשיב מיד כשנחזור.',
  closed: 'סגרנו את הפנייה {{ticket.short_id}}. כתבו שוב אם תצטרכו משהו נוסף.',
  rate: 'עד כמה אתם מרוצים מהעזרה שלנו?',
  thanks_for_rating: 'תודה על הדירוג.',
  share_phone: 'שיתוף מספר הטלפון שלי',
  thanks_for_phone: 'תודה, קיבלנו את מספר הטלפון שלכם.',
  new_ticket: 'ההודעה הבאה שלכם תפתח שיחה חדשה.',
  ask_continue: 'האם להמשיך כאן שיחה מהאתר? לחצו על הכפתור רק אם פתחתם את הקישור הזה בעצמכם באתר.',
  continue_ticket: 'המשך השיחה',
  continues: 'ההודעה הבאה שלכם תמשיך את השיחה.',
  no_groups: 'איני יכול לעזור בקבוצות. אנא כתבו לי ישירות.',
  file_on_server: 'השרת של הבוט הזה פועל עם --local ושומר את הקובץ בדיסק שלו, ולכן אי אפשר להציג אותו כאן.',
  command_new: 'פתיחת שיחה חדשה',
  command_start: 'כתבו לנו',
}
