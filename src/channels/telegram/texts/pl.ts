import type { TelegramTexts } from './shape.ts'

export const plTelegram: TelegramTexts = {
  greeting: 'Dzień dobry! Proszę napisać do nas tutaj, odpowiemy najszybciej, jak to możliwe.',
  away: 'Dziękujemy za wiadomość. Nasze biuro jest teraz zamknięte. Odpowiemy, gdy tylko wrócimy.',
  closed:
    'Zamknęliśmy zgłoszenie {{ticket.short_id}}. Proszę napisać ponownie, jeśli potrzebna jest dalsza pomoc.',
  rate: 'Jak ocenia Pan/Pani naszą pomoc?',
  thanks_for_rating: 'Dziękujemy za ocenę.',
  share_phone: 'Udostępnij mój numer telefonu',
  thanks_for_phone: 'Dziękujemy, mamy już numer telefonu.',
  new_ticket: 'Następna wiadomość rozpocznie nową rozmowę.',
  ask_continue:
    'Czy chcesz kontynuować tutaj rozmowę ze strony internetowej? Naciśnij przycisk tylko wtedy, gdy ten link otwarto przez Ciebie na stronie.',
  continue_ticket: 'Kontynuuj rozmowę',
  continues: 'Twoja następna wiadomość będzie kontynuacją rozmowy.',
  no_groups: 'Nie mogę pomagać w grupach. Proszę napisać do mnie bezpośrednio.',
  file_on_server:
    'Serwer tego bota działa z opcją --local i przechowuje plik na własnym dysku, więc nie można go tu pokazać.',
  command_new: 'Rozpocznij nową rozmowę',
  command_start: 'Napisz do nas',
}
