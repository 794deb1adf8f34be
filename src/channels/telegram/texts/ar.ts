import type { TelegramTexts } from './shape.ts'

export const arTelegram: TelegramTexts = {
  greeting: 'مرحبًا! اكتب إلينا هنا وسنرد في أقرب وقت ممكن.',
  away: 'شكرًا على رسالتك. مكتبنا مغلق حاليًا. سنرد فور عودتنا.',
  closed: 'لقد أغلقنا طلبك {{ticket.short_id}}. اكتب مرة أخرى إذا احتجت إلى شيء آخر.',
  rate: 'ما مدى رضاك عن مساعدتنا؟',
  thanks_for_rating: 'شكرًا على تقييمك.',
  share_phone: 'مشاركة رقم هاتفي',
  thanks_for_phone: 'شكرًا، لقد استلمنا رقم هاتفك.',
  new_ticket: 'ستبدأ رسالتك التالية محادثة جديدة.',
  ask_continue: 'هل تريد متابعة محادثة من الموقع هنا؟ اضغط الزر فقط إذا فتحت هذا الرابط بنفسك في الموقع.',
  continue_ticket: 'متابعة المحادثة',
  continues: 'رسالتك التالية تتابع المحادثة.',
  no_groups: 'لا يمكنني المساعدة في المجموعات. يرجى الكتابة إليّ مباشرة.',
  command_new: 'بدء محادثة جديدة',
  command_start: 'اكتب إلينا',
}
