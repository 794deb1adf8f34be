import { useQuery } from '@tanstack/react-query'
import { ChangeForm, useChangeForm } from '../channels/change-form.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { DepartmentField } from '../operators/department-field.tsx'
import { departmentsQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import { GroupsField, NameField } from './bot-fields.tsx'
import { type BotValues, botLabels, botValuesOf, describeBot } from './bot-values.ts'
import { type BotVersion, changeTelegramBot, type TelegramBot } from './queries.ts'
import { ReceivingField } from './receiving-field.tsx'

interface Props {
  bot: TelegramBot
  version: BotVersion
}

/** The name of a bot, where its tickets go, and what it receives. */
export function BotForm({ bot, version }: Props) {
  const { id: project_id } = useProject()
  const { data: departments = [] } = useQuery(departmentsQuery(project_id))
  const sending = useChangeForm<BotValues, TelegramBot>({
    version,
    initialValues: botValuesOf(bot),
    send: values => changeTelegramBot({ project_id, bot_id: bot.id }, version, values),
  })
  const { form } = sending
  const { settings } = pageText.telegramBots
  return (
    <Section title={settings}>
      <ChangeForm
        sending={sending}
        version={version}
        labels={botLabels()}
        read={botValuesOf}
        describe={values => describeBot(values, departments)}
      >
        <NameField form={form} />
        <DepartmentField form={form} words={pageText.telegramBots} />
        <ReceivingField form={form} automatic={bot.receiving === 'auto' ? bot.receives_by : null} />
        <GroupsField form={form} />
      </ChangeForm>
    </Section>
  )
}
