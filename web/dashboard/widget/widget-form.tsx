import { useState } from 'react'
import { Conflict } from '../core/conflict.tsx'
import { Form } from '../core/form.tsx'
import { Section } from '../core/page.tsx'
import { text } from '../core/text.ts'
import type { Settings } from '../projects/settings.ts'
import { AccessFields } from './access-fields.tsx'
import { FeatureFields } from './feature-fields.tsx'
import { HoursFields } from './hours-fields.tsx'
import { LookFields } from './look-fields.tsx'
import { PageArticleFields } from './page-article-fields.tsx'
import { WidgetPreview } from './preview.tsx'
import { ProactiveFields } from './proactive-fields.tsx'
import type { Widget } from './queries.ts'
import { QuestionFields } from './question-fields.tsx'
import { useWidgetSending } from './sending.ts'
import { TextFields } from './text-fields.tsx'
import { labels, printValues, widgetValuesOf } from './values.ts'
import classes from './widget.module.css'

interface Props {
  widget: Widget
  project: Settings
}

/**
 * The project's main language if it has texts or if no language has; otherwise, the first language with
 * texts.
 */
const chooseLocale = ({ texts }: Widget, { default_locale }: Settings): string =>
  default_locale in texts ? default_locale : (Object.keys(texts)[0] ?? default_locale)

/** The settings, with a preview beside them. */
export function WidgetForm({ widget, project }: Props) {
  const { sending, version } = useWidgetSending(widget)
  const { form } = sending
  const [locale, setLocale] = useState(chooseLocale(widget, project))
  return (
    <div className={classes.columns}>
      <Section>
        <Form sending={sending} action={text.shell.save}>
          <Conflict
            failure={sending.failure}
            mine={printValues(form.getValues())}
            labels={labels()}
            read={(current: Widget) => printValues(widgetValuesOf(current))}
            onKeep={(current: Widget) => {
              version.current = current.version
              sending.submit()
            }}
            onTake={(_, current: Widget) => {
              version.current = current.version
              form.setValues(widgetValuesOf(current))
              sending.forget()
            }}
          />
          <LookFields form={form} />
          <TextFields form={form} locale={locale} onLocale={setLocale} />
          <QuestionFields form={form} locale={locale} />
          <HoursFields form={form} />
          <AccessFields form={form} />
          <FeatureFields form={form} />
          <PageArticleFields form={form} />
          <ProactiveFields form={form} locale={locale} />
        </Form>
      </Section>
      <WidgetPreview values={form.getValues()} locale={locale} project={project} />
    </div>
  )
}
