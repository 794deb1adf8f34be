import * as parse from './config-values.ts'

/** Settings for open dashboards. */
export const liveSettings = {
  tabsPerOperator: parse.setting('LIVE_TABS_PER_OPERATOR', '10', parse.integer(1, 1_000), {
    about:
      'How many dashboard tabs an operator may have open in a process at the same time. Further tabs get 429.',
    example: '20',
  }),
  tabsPerProcess: parse.setting('LIVE_TABS_PER_PROCESS', '5000', parse.integer(1, 1e6), {
    about:
      'How many dashboard tabs may be open in a process at the same time. Each needs an open file, like the calls of UPDATES_WAITING_PER_PROCESS. Allow the process 1,000 more open files than both numbers together.',
    example: '2000',
  }),
}
