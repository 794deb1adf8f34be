/** Texts about the automatic messages of a Telegram bot. */
export const telegramTexts = {
  title: 'Automatic messages',
  about: 'Messages that the bot sends automatically, in the customer’s language.',
  phone: 'Ask for a phone number',
  phoneAbout: 'The greeting has a button that customers can press to share their phone number.',
  rating: 'Ask for a rating',
  ratingAbout: 'When a ticket is closed, the bot shows buttons with one to five stars.',
  away: 'Send an away message outside office hours',
  awayAbout: 'Sent once for each new ticket. The office hours are those of the website chat.',
  texts: 'Texts',
  placeholders:
    'Leave a text empty to use Deskbell’s own. You can use {{ticket.short_id}} and {{contact.full_name|there}}: the word after | is used if the customer has no name.',
  kinds: { greeting: 'Greeting', away: 'Away message', closed: 'Ticket closed' },
  kindAbouts: {
    greeting: 'When someone opens the bot for the first time, or sends /start.',
    away: 'For a new ticket outside office hours.',
    closed: 'When you close a ticket.',
  },
  sendNothing: {
    greeting: 'Send no greeting in this language',
    away: 'Send no away message in this language',
    closed: 'Send no text in this language when a ticket is closed',
  },
  nothingSent: 'nothing is sent',
  unknownPlaceholder: (names: string) => `Unknown placeholder: ${names}`,
  sample: { number: '1042', name: 'Ann Lee' },
}
