import { pageText } from '../core/page-text.ts'
import { weekdays } from './days.ts'
import type { WidgetValues } from './values.ts'
import { asSaved } from './values.ts'

/** Errors that can be found without the server, by field. */
export const check = ({ prechat_fields, hours, ...values }: WidgetValues): Record<string, string> => ({
  ...checkRules(values),
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

type Rules = Pick<WidgetValues, 'page_articles' | 'proactive_messages'>

function checkRules({ page_articles, proactive_messages }: Rules): Record<string, string> {
  const addressOf = (list: keyof Rules) => (rule: { address: string }, index: number) =>
    rule.address.trim() ? [] : [[`${list}.${index}.address`, pageText.widget.addressNeeded]]
  return Object.fromEntries([
    ...page_articles.flatMap(addressOf('page_articles')),
    ...page_articles.flatMap(({ article_ids }, index) =>
      article_ids.length ? [] : [[`page_articles.${index}.article_ids`, pageText.widget.articlesNeeded]],
    ),
    ...proactive_messages.flatMap(addressOf('proactive_messages')),
    ...proactive_messages.flatMap(({ texts }, index) =>
      Object.values(texts).some(text => text.trim())
        ? []
        : [[`proactive_messages.${index}.texts`, pageText.widget.proactiveNeeded]],
    ),
  ])
}
