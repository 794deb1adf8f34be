import { Anchor, Group, Stack } from '@mantine/core'
import { Avatar } from '../core/avatar.tsx'
import { CopyField } from '../core/copy-field.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { QrCode } from '../core/qr-code.tsx'
import { useProject } from '../projects/project.ts'
import { pictureOf, type TelegramBot } from './queries.ts'

/** Where customers find the bot: a link, and a code for print and for phones. */
export function BotLink({ bot }: { bot: TelegramBot }) {
  const { id: projectId } = useProject()
  const { linkTitle, linkAbout, link, openInTelegram, openBot, qrCode } = pageText.telegramBots
  const { name, username } = bot
  return (
    <Section title={linkTitle} about={linkAbout}>
      <Group align="flex-start" gap="lg">
        <Stack flex="1 1 16rem" gap="sm" miw={0}>
          <Group gap="sm" wrap="nowrap">
            <Avatar name={name} src={pictureOf(projectId, bot)} size={48} />
            <bdi style={{ overflowWrap: 'anywhere' }}>{`@${username}`}</bdi>
          </Group>
          <CopyField label={link} value={bot.link} />
          <Anchor
            href={bot.link}
            py={4}
            target="_blank"
            rel="noreferrer"
            aria-label={openBot(username)}
            style={{ alignSelf: 'flex-start' }}
          >
            {openInTelegram}
          </Anchor>
        </Stack>
        <QrCode text={bot.link} label={qrCode(username)} />
      </Group>
    </Section>
  )
}
