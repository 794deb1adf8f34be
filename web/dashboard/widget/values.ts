import { nameLanguage } from '../core/language-names.ts'
import { pageText } from '../core/page-text.ts'
import type {
  OpeningHours,
  PageArticles,
  PrechatQuestion,
  ProactiveRule,
  Widget,
  WidgetTexts,
} from './queries.ts'

/**
 * The settings as form values: an empty field means no value, and the values of disabled features are kept
 * until saving.
 */
export function widgetValuesOf(widget: Widget) {
  const { is_on, color, position, texts, prechat_fields, allowed_domains, hours, max_file_mb } = widget
  return {
    is_on,
    color: color ?? '',
    position: position as string,
    texts: texts as Record<string, WidgetTexts>,
    prechat_fields,
    allowed_domains: allowed_domains.join('\n'),
    requires_signature: widget.requires_signature,
    notifies_visitors: widget.notifies_visitors,
    hours: { is_on: hours !== null, ...(hours ? { ...hours, days: hours.days.map(asTyped) } : usualHours()) },
    shows_operators: widget.shows_operators,
    shows_knowledge: widget.shows_knowledge,
    asks_rating: widget.asks_rating,
    takes_files: widget.takes_files,
    shows_telegram: widget.shows_telegram,
    max_file_mb: max_file_mb as number | string,
    page_articles: widget.page_articles,
    proactive_messages: widget.proactive_messages.map(asTypedRule),
  }
}
export type WidgetValues = ReturnType<typeof widgetValuesOf>

/** A number field has a text while it is empty. */
type TypedRule = Omit<ProactiveRule, 'after_seconds' | 'repeat_after_days'> & {
  after_seconds: number | string
  repeat_after_days: number | string
}
const asTypedRule = (rule: ProactiveRule): TypedRule => rule

/** A day ends at 24:00, for which a time field has 00:00. */
const asTyped = (span: OpeningHours): OpeningHours => ({
  ...span,
  to: span.to === '24:00' ? '00:00' : span.to,
})
export const asSaved = (span: OpeningHours): OpeningHours => ({
  ...span,
  to: span.to === '00:00' ? '24:00' : span.to,
})

const usualHours = () => ({
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  days: [1, 2, 3, 4, 5].map(day => ({ day, from: '09:00', to: '17:00' })),
})

/** Leaves out empty texts, so that another language can replace them. */
const keepWritten = (words: object): object =>
  Object.fromEntries(Object.entries(words).filter(([, value]) => (value ?? '').trim()))

const textsOf = (texts: WidgetValues['texts']): Widget['texts'] =>
  Object.fromEntries(
    Object.entries(texts)
      .map(([locale, words]) => [locale, keepWritten(words)] as const)
      .filter(([, words]) => Object.keys(words).length),
  )

export const domainsOf = (lines: string): string[] => lines.split(/[\s,]+/).filter(Boolean)

export const widgetBodyOf = ({ hours, ...values }: WidgetValues) => ({
  ...values,
  color: values.color.toLowerCase() || null,
  position: values.position as Widget['position'],
  texts: textsOf(values.texts),
  prechat_fields: values.prechat_fields.map(field => ({
    ...field,
    labels: keepWritten(field.labels) as PrechatQuestion['labels'],
  })),
  allowed_domains: domainsOf(values.allowed_domains),
  hours: hours.is_on ? { timezone: hours.timezone, days: hours.days.map(asSaved) } : null,
  max_file_mb: Number(values.max_file_mb),
  proactive_messages: values.proactive_messages.map(rule => ({
    ...rule,
    after_seconds: Number(rule.after_seconds),
    repeat_after_days: Number(rule.repeat_after_days),
    texts: keepWritten(rule.texts) as ProactiveRule['texts'],
  })),
})

const say = (is: boolean): string => (is ? pageText.widget.yes : pageText.widget.no)
const sayWords = (words: object): string => Object.values(keepWritten(words)).join(' · ')

const printRule = ({ match, address }: Pick<PageArticles, 'match' | 'address'>): string =>
  `${pageText.widget.matches[match]} ${address}`

/** The values as text, for people to compare. */
export const printValues = (values: WidgetValues) => ({
  is_on: say(values.is_on),
  color: values.color,
  position: pageText.widget.positions[values.position as Widget['position']],
  texts: Object.entries(values.texts)
    .map(([locale, words]) => `${nameLanguage(locale)}: ${sayWords(words)}`)
    .join('\n'),
  prechat_fields: values.prechat_fields.map(({ labels }) => sayWords(labels)).join('\n'),
  allowed_domains: domainsOf(values.allowed_domains).join('\n'),
  requires_signature: say(values.requires_signature),
  notifies_visitors: say(values.notifies_visitors),
  hours: values.hours.is_on
    ? [values.hours.timezone, ...values.hours.days.map(({ day, from, to }) => `${day}: ${from}–${to}`)].join(
        '\n',
      )
    : '',
  shows_operators: say(values.shows_operators),
  shows_knowledge: say(values.shows_knowledge),
  asks_rating: say(values.asks_rating),
  takes_files: say(values.takes_files),
  shows_telegram: say(values.shows_telegram),
  max_file_mb: String(values.max_file_mb),
  page_articles: values.page_articles.map(printRule).join('\n'),
  proactive_messages: values.proactive_messages.map(printRule).join('\n'),
})

export const labels = (): Record<keyof WidgetValues, string> => ({
  is_on: pageText.widget.isOn,
  color: pageText.widget.color,
  position: pageText.widget.position,
  texts: pageText.widget.words,
  prechat_fields: pageText.widget.questions,
  allowed_domains: pageText.widget.domains,
  requires_signature: pageText.widget.requiresSignature,
  notifies_visitors: pageText.widget.notifies,
  hours: pageText.widget.hours,
  shows_operators: pageText.widget.showsOperators,
  shows_knowledge: pageText.widget.showsKnowledge,
  asks_rating: pageText.widget.asksRating,
  takes_files: pageText.widget.takesFiles,
  shows_telegram: pageText.widget.showsTelegram,
  max_file_mb: pageText.widget.maxFile,
  page_articles: pageText.widget.pageArticles,
  proactive_messages: pageText.widget.proactive,
})
