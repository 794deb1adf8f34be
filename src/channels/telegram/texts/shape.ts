/** What bots say to contacts. The first three can be replaced in the settings of a bot. */
export interface TelegramTexts {
  greeting: string
  away: string
  closed: string
  /** Above the buttons with one to five stars. */
  rate: string
  thanks_for_rating: string
  share_phone: string
  thanks_for_phone: string
  /** The answer to /new. */
  new_ticket: string
  /** Asked about a link from the website, with a button. */
  ask_continue: string
  continue_ticket: string
  /** Said after the button was pressed. */
  continues: string
  /** The bot does not read groups. */
  no_groups: string
  /** In the ticket, about a file that only the Bot API server can read. */
  file_on_server: string
  /** In the menu of commands. */
  command_new: string
  command_start: string
}
