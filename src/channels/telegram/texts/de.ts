import type { TelegramTexts } from './shape.ts'

export const deTelegram: TelegramTexts = {
  greeting: 'Hallo! Schreiben Sie uns hier, wir antworten so bald wie möglich.',
  away: 'Vielen Dank für Ihre Nachricht. Unser Büro ist zurzeit geschlossen. Wir antworten, sobald wir zurück sind.',
  closed:
    'Wir haben Ihre Anfrage {{ticket.short_id}} abgeschlossen. Schreiben Sie wieder, wenn Sie noch etwas brauchen.',
  rate: 'Wie zufrieden sind Sie mit unserer Hilfe?',
  thanks_for_rating: 'Vielen Dank für Ihre Bewertung.',
  share_phone: 'Meine Telefonnummer senden',
  thanks_for_phone: 'Vielen Dank, wir haben Ihre Telefonnummer.',
  new_ticket: 'Mit Ihrer nächsten Nachricht beginnt ein neues Gespräch.',
  ask_continue:
    'Möchten Sie ein Gespräch von der Website hier fortsetzen? Drücken Sie die Taste nur, wenn Sie diesen Link selbst auf der Website geöffnet haben.',
  continue_ticket: 'Gespräch fortsetzen',
  continues: 'Ihre nächste Nachricht setzt das Gespräch fort.',
  no_groups: 'In Gruppen kann ich nicht helfen. Bitte schreiben Sie mir direkt.',
  file_on_server:
    'Der Server dieses Bots läuft mit --local und behält die Datei auf seiner eigenen Festplatte, deshalb kann sie hier nicht angezeigt werden.',
  command_new: 'Ein neues Gespräch beginnen',
  command_start: 'Uns schreiben',
}
