import * as parse from './config-values.ts'

/** Settings of the website chat. */
export const widgetServerSettings = {
  visitorsPerProcess: parse.setting('WIDGET_VISITORS_PER_PROCESS', '5000', parse.integer(1, 1e6), {
    about:
      'How many open chats a process serves at the same time, at most a fifth of them for one address. Further chats get 429. Each needs about 20 KB of memory and an open file.',
    example: '20000',
  }),
  visitorsPerIp: parse.setting('WIDGET_VISITORS_PER_IP', '60', parse.integer(1, 1e9), {
    about:
      'How many new visitors an address may create per minute, from 1 to 1000000000. The same limit applies separately to identifying a visitor, opening a ticket by its link, starting a ticket, uploading a file, and having a copy of a conversation emailed.',
    example: '600',
  }),
  rateLimitPerVisitor: parse.setting('RATE_LIMIT_PER_VISITOR', '300', parse.integer(1, 1e9), {
    about:
      'How many requests a visitor of the chat may make per minute, from 1 to 1000000000. All visitors from one address together may make 20 times as many.',
    example: '120',
  }),
}
