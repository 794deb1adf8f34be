import { pageText } from '../core/page-text.ts'
import { weekdays } from './days.ts'
import type { WidgetValues } from './values.ts'
import { asSaved } from './values.ts'

/** Errors that can be found without the server, by field. */
export const check = ({ prechat_fields, hours }: WidgetValues): Record<string, string> => ({
  ...Object.fromEntries(
    prechat_fields.flatMap(({ key, labels }, index) => [
      ...(Object.values(labels).some(label => label.trim())
        ? []
        : [[`prechat_fields.${index}.labels`, pageText.widget.questionNeeded]]),
      ...(/^[a-z][a-z0-9_]{0,63}$/.test(key)
        ? []
        : [[`prechat_fields.${index}.key`, pageText.widget.keyShape]]),
    ]),
  ),
  ...(hours.is_on && checkHours(hours)),
})

function checkHours({ timezone, days }: WidgetValues['hours']): Record<string, string> {
  const wrong = days.map(asSaved).find(({ from, to }) => !from || !to || from === to)
  return {
    ...(!timezone && { 'hours.timezone': pageText.widget.timezoneNeeded }),
    ...(wrong && { 'hours.days': pageText.widget.sameTime(weekdays()[wrong.day - 1]!) }),
  }
}
