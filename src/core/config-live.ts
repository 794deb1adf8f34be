import * as parse from './config-values.ts'

/** Settings of the open dashboards. */
export const liveSettings = {
  tabsPerOperator: parse.setting('LIVE_TABS_PER_OPERATOR', '10', parse.integer(1, 1_000), {
    about:
      'Tabs of the dashboard that one operator may have open at one time in one process; one more is answered 429.',
    example: '20',
  }),
  tabsPerProcess: parse.setting('LIVE_TABS_PER_PROCESS', '5000', parse.integer(1, 1e6), {
    about:
      'Tabs of the dashboard that may be open at one time in one process. Each needs an open file, as the calls of UPDATES_WAITING_PER_PROCESS do: let the process open 1,000 more than both together.',
    example: '2000',
  }),
}
