import type { TelegramTexts } from './shape.ts'

export const enTelegram: TelegramTexts = {
  greeting: 'Hello! Write to us here, and we will reply as soon as we can.',
  away: 'Thank you for your message. Our office is closed at the moment. We will reply as soon as we are back.',
  closed: 'We have closed your request {{ticket.short_id}}. Write again if you need anything else.',
  rate: 'How satisfied are you with our help?',
  thanks_for_rating: 'Thank you for your rating.',
  share_phone: 'Share my phone number',
  thanks_for_phone: 'Thank you, we have your phone number.',
  new_ticket: 'Your next message will start a new conversation.',
  ask_continue:
    'Do you want to continue a conversation from the website here? Press the button only if you opened this link on the website yourself.',
  continue_ticket: 'Continue the conversation',
  continues: 'Your next message will continue the conversation.',
  no_groups: 'I cannot help in groups. Please write to me directly.',
  file_on_server:
    "This bot's server runs with --local and keeps the file on its own disk, so it cannot be shown here.",
  command_new: 'Start a new conversation',
  command_start: 'Write to us',
}
