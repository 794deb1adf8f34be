import { Paper, Text, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useId, useState } from 'react'
import { pageText } from '../core/page-text.ts'
import { TextLanguage } from '../widget/text-language.tsx'
import { type AutomaticKind, type AutomaticValues, defaultText, fillSample } from './automatic-values.ts'
import type { AutomaticDefaults } from './queries.ts'

interface Props {
  form: UseFormReturnType<AutomaticValues>
  defaults: AutomaticDefaults
}

/** The texts in the chosen language, with a preview of what the customer gets. */
export function AutomaticTexts({ form, defaults }: Props) {
  const [language, setLanguage] = useState(defaults.language)
  const { sends_acknowledgement, sends_away, texts } = form.getValues()
  return (
    <>
      <TextLanguage
        placeholders={pageText.mailboxAutomatic.placeholders}
        first={defaults.language}
        texts={texts}
        value={language}
        onChange={setLanguage}
      />
      {sends_acknowledgement && <OneText {...{ form, defaults, language }} kind="acknowledgement" />}
      {sends_away && <OneText {...{ form, defaults, language }} kind="away" />}
    </>
  )
}

function OneText({ form, defaults, language, kind }: Props & { language: string; kind: AutomaticKind }) {
  const { texts } = form.getValues()
  const own = texts[language] ?? { acknowledgement: '', away: '' }
  const { kinds, unknown } = pageText.mailboxAutomatic
  const filled = fillSample(own[kind].trim() || defaultText(defaults, language, kind))
  return (
    <>
      <Textarea
        label={kinds[kind]}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5_000}
        dir="auto"
        lang={language}
        value={own[kind]}
        error={filled.unknown.length > 0 && unknown(filled.unknown.join(', '))}
        onChange={({ currentTarget: { value } }) =>
          form.setFieldValue('texts', { ...texts, [language]: { ...own, [kind]: value } })
        }
      />
      <Preview name={kinds[kind]} language={language} content={filled.content} />
    </>
  )
}

function Preview({ name, language, content }: { name: string; language: string; content: string }) {
  const titleId = useId()
  return (
    <Paper component="section" withBorder p="sm" aria-labelledby={titleId}>
      <Text id={titleId} size="xs" c="dimmed" mb={4}>
        {pageText.mailboxAutomatic.preview(name)}
      </Text>
      <Text size="sm" dir="auto" lang={language} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {content}
      </Text>
    </Paper>
  )
}
