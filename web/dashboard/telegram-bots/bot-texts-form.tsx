import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChangeForm, useChangeForm } from '../channels/change-form.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { useProject } from '../projects/project.ts'
import { MissingHours } from '../widget/text-language.tsx'
import {
  type BotTextValues,
  botTextBodyOf,
  botTextLabels,
  botTextValuesOf,
  describeBotTexts,
} from './bot-text-values.ts'
import { BotTexts } from './bot-texts.tsx'
import {
  type BotVersion,
  changeTelegramBot,
  type TelegramBot,
  type TelegramTextDefaults,
  telegramTextsQuery,
} from './queries.ts'

interface Props {
  bot: TelegramBot
  version: BotVersion
}

/** What the bot says by itself, and the buttons that it offers. */
export function BotTextsSection(props: Props) {
  const { data: defaults } = useQuery(telegramTextsQuery(useProject().id))
  const { title, about } = pageText.telegramTexts
  return (
    <Section title={title} about={about}>
      {defaults ? <BotTextsForm {...props} defaults={defaults} /> : <Loading />}
    </Section>
  )
}

function BotTextsForm({ bot, version, defaults }: Props & { defaults: TelegramTextDefaults }) {
  const { id: project_id } = useProject()
  const sending = useChangeForm<BotTextValues, TelegramBot>({
    version,
    initialValues: botTextValuesOf(bot),
    send: values => changeTelegramBot({ project_id, bot_id: bot.id }, version, botTextBodyOf(values)),
  })
  const { form } = sending
  const { away, awayAbout, phone, phoneAbout, rating, ratingAbout } = pageText.telegramTexts
  const toggle = (name: 'sends_away' | 'asks_phone' | 'asks_rating') =>
    form.getInputProps(name, { type: 'checkbox' })
  return (
    <ChangeForm
      sending={sending}
      version={version}
      labels={botTextLabels()}
      read={botTextValuesOf}
      describe={describeBotTexts}
    >
      <Switch label={phone} description={phoneAbout} {...toggle('asks_phone')} />
      <Switch label={rating} description={ratingAbout} {...toggle('asks_rating')} />
      <Switch label={away} description={awayAbout} {...toggle('sends_away')} />
      {form.getValues().sends_away && !defaults.has_hours && <MissingHours />}
      <BotTexts form={form} defaults={defaults} />
    </ChangeForm>
  )
}
