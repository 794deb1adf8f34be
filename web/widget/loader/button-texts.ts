/** The few texts in the page itself: the panel's name, open, close, load error, try again, dismiss a message. */
const words: Record<string, readonly [string, string, string, string, string, string]> = {
  en: ['Chat', 'Open chat', 'Close chat', 'Couldn’t load the chat.', 'Try again', 'Dismiss message'],
  de: [
    'Chat',
    'Chat öffnen',
    'Chat schließen',
    'Der Chat konnte nicht geladen werden.',
    'Erneut versuchen',
    'Nachricht schließen',
  ],
  fr: [
    'Chat',
    'Ouvrir le chat',
    'Fermer le chat',
    'Le chat n’a pas pu être chargé.',
    'Réessayer',
    'Fermer le message',
  ],
  es: [
    'Chat',
    'Abrir el chat',
    'Cerrar el chat',
    'No se pudo cargar el chat.',
    'Reintentar',
    'Cerrar el mensaje',
  ],
  pt: [
    'Chat',
    'Abrir o chat',
    'Fechar o chat',
    'Não foi possível carregar o chat.',
    'Tentar novamente',
    'Fechar a mensagem',
  ],
  it: [
    'Chat',
    'Apri la chat',
    'Chiudi la chat',
    'Impossibile caricare la chat.',
    'Riprova',
    'Chiudi il messaggio',
  ],
  nl: [
    'Chat',
    'Chat openen',
    'Chat sluiten',
    'De chat kon niet worden geladen.',
    'Opnieuw proberen',
    'Bericht sluiten',
  ],
  pl: [
    'Czat',
    'Otwórz czat',
    'Zamknij czat',
    'Nie udało się wczytać czatu.',
    'Spróbuj ponownie',
    'Zamknij wiadomość',
  ],
  cs: ['Chat', 'Otevřít chat', 'Zavřít chat', 'Chat se nepodařilo načíst.', 'Zkusit znovu', 'Zavřít zprávu'],
  tr: ['Sohbet', 'Sohbeti aç', 'Sohbeti kapat', 'Sohbet yüklenemedi.', 'Tekrar dene', 'Mesajı kapat'],
  ru: ['Чат', 'Открыть чат', 'Закрыть чат', 'Не удалось загрузить чат.', 'Повторить', 'Закрыть сообщение'],
  uk: [
    'Чат',
    'Відкрити чат',
    'Закрити чат',
    'Не вдалося завантажити чат.',
    'Спробувати ще раз',
    'Закрити повідомлення',
  ],
  ar: ['محادثة', 'فتح المحادثة', 'إغلاق المحادثة', 'تعذّر تحميل المحادثة.', 'إعادة المحاولة', 'إغلاق الرسالة'],
  he: ['צ׳אט', 'פתיחת הצ׳אט', 'סגירת הצ׳אט', 'לא ניתן לטעון את הצ׳אט.', 'ניסיון נוסף', 'סגירת ההודעה'],
  fa: ['گفتگو', 'باز کردن گفتگو', 'بستن گفتگو', 'گفتگو بارگذاری نشد.', 'تلاش دوباره', 'بستن پیام'],
  zh: ['聊天', '打开聊天', '关闭聊天', '无法加载聊天。', '重试', '关闭消息'],
  ja: [
    'チャット',
    'チャットを開く',
    'チャットを閉じる',
    'チャットを読み込めませんでした。',
    '再試行',
    'メッセージを閉じる',
  ],
}

export interface ButtonTexts {
  language: string
  dir: 'ltr' | 'rtl'
  title: string
  open: string
  close: string
  failure: string
  again: string
  dismiss: string
}

/** In the first of these languages that is available. */
export function chooseButtonTexts(locales: readonly string[]): ButtonTexts {
  const known = locales.map(tag => tag.toLowerCase().split(/[-_]/)[0]!)
  const language = known.find(tag => Object.hasOwn(words, tag)) ?? 'en'
  const [title, open, close, failure, again, dismiss] = words[language]!
  const dir = ['ar', 'he', 'fa'].includes(language) ? 'rtl' : 'ltr'
  return { language, dir, title, open, close, failure, again, dismiss }
}
