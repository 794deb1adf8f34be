import { Stack, Switch, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { pageText } from '../core/page-text.ts'
import { TextLanguage } from '../widget/text-language.tsx'
import {
  type BotTextKind,
  type BotTextValues,
  botTextKinds,
  fillBotSample,
  noTexts,
  ownTextOf,
} from './bot-text-values.ts'
import type { TelegramTextDefaults } from './queries.ts'

interface Props {
  form: UseFormReturnType<BotTextValues>
  defaults: TelegramTextDefaults
}

/** The texts in the chosen language. */
export function BotTexts({ form, defaults }: Props) {
  const [language, setLanguage] = useState(defaults.language)
  const { sends_away, texts } = form.getValues()
  const shown = botTextKinds.filter(kind => kind !== 'away' || sends_away)
  return (
    <>
      <TextLanguage
        placeholders={pageText.telegramTexts.placeholders}
        first={defaults.language}
        texts={texts}
        value={language}
        onChange={setLanguage}
      />
      {shown.map(kind => (
        <OneText key={`${language} ${kind}`} {...{ form, defaults, language, kind }} />
      ))}
    </>
  )
}

function OneText({ form, defaults, language, kind }: Props & { language: string; kind: BotTextKind }) {
  const { texts } = form.getValues()
  const own = texts[language] ?? noTexts
  const { kinds, kindAbouts, unknownPlaceholder, sendNothing } = pageText.telegramTexts
  const isOff = own[kind] === ''
  const { unknown } = fillBotSample(own[kind] ?? '')
  const change = (content: string | null) =>
    form.setFieldValue('texts', { ...texts, [language]: { ...own, [kind]: content } })
  return (
    <Stack gap={6}>
      <Textarea
        label={kinds[kind]}
        description={kindAbouts[kind]}
        placeholder={isOff ? '' : ownTextOf(defaults, language, kind)}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={3_000}
        dir="auto"
        lang={language}
        disabled={isOff}
        value={own[kind] ?? ''}
        error={unknown.length > 0 && unknownPlaceholder(unknown.join(', '))}
        onChange={({ currentTarget: { value } }) => change(value === '' ? null : value)}
      />
      <Switch
        label={sendNothing[kind]}
        checked={isOff}
        onChange={event => change(event.currentTarget.checked ? '' : null)}
      />
    </Stack>
  )
}
