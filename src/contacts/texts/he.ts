import type { IdentityMailTexts } from './shape.ts'

export const heIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'הקוד שלך: {code}',
    title: 'אישור כתובת הדוא"ל',
    paragraphs: [
      '{project} רוצים לוודא שכתובת הדוא"ל הזו שייכת לך. הקוד שלך הוא {code}. יש למסור אותו לאדם שאיתו נוצר הקשר.',
    ],
    small: 'הקוד תקף לשעה אחת. אם לא נוצר קשר עם {project}, אפשר להתעלם מההודעה הזו.',
  },
}
