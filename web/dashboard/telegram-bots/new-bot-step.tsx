import { Alert, Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Avatar } from '../core/avatar.tsx'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { showSaved } from '../core/query.ts'
import { DepartmentField } from '../operators/department-field.tsx'
import { useProject } from '../projects/project.ts'
import { GroupsField, NameField } from './bot-fields.tsx'
import type { BotValues } from './bot-values.ts'
import {
  type CheckedTelegramBot,
  createTelegramBot,
  type TelegramBot,
  telegramBotQuery,
  telegramBotsQuery,
} from './queries.ts'
import { ReceivingField } from './receiving-field.tsx'
import type { FoundBot } from './token-step.tsx'

interface Props {
  found: FoundBot
  onBack(): void
}

function useNewBot({ access, bot }: FoundBot) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useSending<BotValues, TelegramBot>({
    initialValues: { name: bot.name, receiving: 'auto', department_id: null, takes_groups: false },
    send: values => createTelegramBot(project_id, { ...access, ...values }),
    onDone: made => {
      void showSaved(client, telegramBotQuery({ project_id, bot_id: made.id }).queryKey, made)
      void client.invalidateQueries({ queryKey: telegramBotsQuery(project_id).queryKey, exact: true })
      void navigate({ to: `/p/${project_id}/settings/telegram-bots/${made.id}` })
    },
  })
}

/** Shows the bot that was found, and asks how it is used. It is stored only then. */
export function NewBotStep({ found, onBack }: Props) {
  const { bot } = found
  const sending = useNewBot(found)
  const { add, changeToken, isTaken } = pageText.telegramBots
  const back = (
    <Button variant="default" onClick={onBack}>
      {changeToken}
    </Button>
  )
  if (bot.is_taken)
    return (
      <>
        <FoundCard bot={bot} />
        <Alert color="red" role="alert" mb="md">
          {isTaken(bot.username)}
        </Alert>
        {back}
      </>
    )
  const { form } = sending
  return (
    <>
      <FoundCard bot={bot} />
      <Form sending={sending} action={add} aside={back}>
        <NameField form={form} />
        <ReceivingField form={form} automatic={bot.receives_by} />
        <DepartmentField form={form} words={pageText.telegramBots} />
        <GroupsField form={form} />
        {form.getValues().takes_groups && <GroupsNote bot={bot} />}
      </Form>
    </>
  )
}

const FoundCard = ({ bot: { name, username, picture } }: { bot: CheckedTelegramBot }) => (
  <Group gap="sm" mb="md" wrap="nowrap" role="status">
    <Avatar name={name} src={picture} size={56} />
    <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
      <Text fw={600} dir="auto">
        {name}
      </Text>
      <Text size="sm" c="dimmed">
        <bdi>{`@${username}`}</bdi>
      </Text>
    </div>
  </Group>
)

/** What @BotFather allows the bot in groups. */
function GroupsNote({ bot: { can_join_groups, can_read_groups } }: { bot: CheckedTelegramBot }) {
  const { cannotJoin, cannotRead } = pageText.telegramBots
  if (can_join_groups && can_read_groups) return null
  return <Alert color="gray">{can_join_groups ? cannotRead : cannotJoin}</Alert>
}
