/** Texts about the texts that mailboxes and Telegram bots send automatically. */
export const automaticTexts = {
  noHours:
    'No office hours are set, so no away message is sent. You can set them in the website chat settings.',
  openHours: 'Website chat',
  language: 'Language',
  languageAbout:
    'Customers get the text in their own language if there is one, otherwise in the project’s language.',
}
