import type { TelegramTexts } from './shape.ts'

export const nlTelegram: TelegramTexts = {
  greeting: 'Hallo! Schrijf ons hier, we antwoorden zo snel mogelijk.',
  away: 'Bedankt voor uw bericht. Ons kantoor is op dit moment gesloten. We antwoorden zodra we terug zijn.',
  closed: 'We hebben uw verzoek {{ticket.short_id}} afgesloten. Schrijf opnieuw als u nog iets nodig hebt.',
  rate: 'Hoe tevreden bent u met onze hulp?',
  thanks_for_rating: 'Bedankt voor uw beoordeling.',
  share_phone: 'Mijn telefoonnummer delen',
  thanks_for_phone: 'Bedankt, we hebben uw telefoonnummer.',
  new_ticket: 'Met uw volgende bericht begint een nieuw gesprek.',
  ask_continue:
    'Wilt u een gesprek van de website hier voortzetten? Druk alleen op de knop als u deze link zelf op de website hebt geopend.',
  continue_ticket: 'Gesprek voortzetten',
  continues: 'Uw volgende bericht zet het gesprek voort.',
  no_groups: 'In groepen kan ik niet helpen. Schrijf mij rechtstreeks.',
  file_on_server:
    'De server van deze bot draait met --local en bewaart het bestand op zijn eigen schijf, dus het kan hier niet worden getoond.',
  command_new: 'Een nieuw gesprek beginnen',
  command_start: 'Schrijf ons',
}
