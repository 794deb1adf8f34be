import type { TelegramTexts } from './shape.ts'

export const trTelegram: TelegramTexts = {
  greeting: 'Merhaba! Bize buradan yazın, en kısa sürede yanıt vereceğiz.',
  away: 'Mesajınız için teşekkür ederiz. Ofisimiz şu anda kapalı. Döner dönmez yanıt vereceğiz.',
  closed: '{{ticket.short_id}} numaralı talebinizi kapattık. Başka bir şeye ihtiyacınız olursa tekrar yazın.',
  rate: 'Yardımımızdan ne kadar memnunsunuz?',
  thanks_for_rating: 'Değerlendirmeniz için teşekkür ederiz.',
  share_phone: 'Telefon numaramı paylaş',
  thanks_for_phone: 'Teşekkürler, telefon numaranızı aldık.',
  new_ticket: 'Bir sonraki mesajınız yeni bir görüşme başlatacak.',
  ask_continue:
    'Web sitesindeki bir görüşmeye burada devam etmek ister misiniz? Düğmeye yalnızca bu bağlantıyı web sitesinde kendiniz açtıysanız basın.',
  continue_ticket: 'Görüşmeye devam et',
  continues: 'Bir sonraki mesajınız görüşmeyi sürdürür.',
  no_groups: 'Gruplarda yardımcı olamıyorum. Lütfen bana doğrudan yazın.',
  file_on_server:
    'Bu botun sunucusu --local ile çalışıyor ve dosyayı kendi diskinde tutuyor, bu yüzden dosya burada gösterilemiyor.',
  command_new: 'Yeni bir görüşme başlat',
  command_start: 'Bize yazın',
}
