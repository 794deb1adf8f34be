import { ChangeForm } from '../channels/change-form.tsx'
import { useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { type BotVersion, changeTelegramBot, type TelegramBot } from './queries.ts'
import { ServerFields, TokenField, type TokenValues } from './token-step.tsx'

interface Props {
  bot: TelegramBot
  version: BotVersion
}

const accessOf = ({ api_root }: TelegramBot): TokenValues => ({ token: '', api_root })

/** Replaces the token, and chooses the server. Both need the token, because it is never shown again. */
export function AccessForm({ bot, version }: Props) {
  const { id: project_id } = useProject()
  const { accessTitle, accessAbout, replaceToken, tokenReplaced, tokenNeeded, apiRoot } =
    pageText.telegramBots
  const sending = useSending<TokenValues, TelegramBot>({
    initialValues: accessOf(bot),
    validate: { token: value => (value.trim() ? null : tokenNeeded) },
    send: ({ token, api_root }) =>
      changeTelegramBot({ project_id, bot_id: bot.id }, version, {
        token: token.trim(),
        api_root: api_root.trim(),
      }),
    onDone: (saved, form) => {
      version.save(saved)
      form.setValues(accessOf(saved))
      showNotice(tokenReplaced)
    },
  })
  return (
    <Section title={accessTitle} about={accessAbout}>
      <ChangeForm
        sending={sending}
        version={version}
        labels={{ api_root: apiRoot }}
        read={accessOf}
        describe={({ api_root }) => ({ api_root })}
        action={replaceToken}
      >
        <TokenField form={sending.form} />
        <ServerFields form={sending.form} />
      </ChangeForm>
    </Section>
  )
}
