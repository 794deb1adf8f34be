import * as parse from './config-values.ts'

/** Settings of the chat on the projects' own pages. */
export const widgetServerSettings = {
  visitorsPerProcess: parse.setting('WIDGET_VISITORS_PER_PROCESS', '5000', parse.integer(1, 1e6), {
    about:
      'Open chats of visitors that one process serves at one time, a fifth of them to one address; one more is answered 429. Each needs about 20 KB of memory and an open file.',
    example: '20000',
  }),
  visitorsPerIp: parse.setting('WIDGET_VISITORS_PER_IP', '60', parse.integer(1, 1e9), {
    about:
      'Visitors that one address may begin in a minute, and as often it may say who one is, open a ticket by a link, begin a ticket, or upload a file, from 1 to 1000000000.',
    example: '600',
  }),
  rateLimitPerVisitor: parse.setting('RATE_LIMIT_PER_VISITOR', '300', parse.integer(1, 1e9), {
    about:
      'Requests that one visitor of a chat may make in a minute, from 1 to 1000000000; all visitors of one address together may make 20 times as many.',
    example: '120',
  }),
}
