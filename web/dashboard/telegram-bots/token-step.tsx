import { List, PasswordInput, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { type CheckedTelegramBot, checkBotToken, type TelegramBotToken } from './queries.ts'

export interface FoundBot {
  access: TelegramBotToken
  bot: CheckedTelegramBot
}

export interface TokenValues extends Record<string, unknown> {
  token: string
  api_root: string
}

/** Asks for the token, and looks up its bot. */
export function TokenStep({ onDone }: { onDone(found: FoundBot): void }) {
  const { id: project_id } = useProject()
  const { tokenNeeded, next, botFather, pasteBelow } = pageText.telegramBots
  const sending = useSending<TokenValues, FoundBot>({
    initialValues: { token: '', api_root: '' },
    validate: { token: value => (value.trim() ? null : tokenNeeded) },
    send: async ({ token, api_root }) => {
      const access = { token: token.trim(), ...(api_root.trim() && { api_root: api_root.trim() }) }
      return { access, bot: await checkBotToken(project_id, access) }
    },
    onDone,
  })
  return (
    <>
      <List type="ordered" mb="md" spacing={4} maw="60ch">
        {[...botFather, pasteBelow].map(step => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      <Form sending={sending} action={next}>
        <TokenField form={sending.form} isFirst />
        <ServerFields form={sending.form} />
      </Form>
    </>
  )
}

interface FieldProps<V extends TokenValues> {
  form: UseFormReturnType<V>
}

/** Mantine does not mark a password as invalid, and then it would not get the focus. */
export function TokenField<V extends TokenValues>({ form, isFirst }: FieldProps<V> & { isFirst?: boolean }) {
  const { token, tokenAbout } = pageText.telegramBots
  const props = form.getInputProps('token')
  return (
    <PasswordInput
      label={token}
      description={tokenAbout}
      dir="ltr"
      maw={520}
      autoComplete="off"
      spellCheck={false}
      autoFocus={isFirst}
      {...props}
      aria-invalid={props.error ? true : undefined}
    />
  )
}

/** The address of an own Bot API server, which few people have. */
export function ServerFields<V extends TokenValues>({ form }: FieldProps<V>) {
  const [isOwn, setOwn] = useState(form.getValues().api_root !== '')
  const { ownServer, ownServerAbout, apiRoot, apiRootAbout } = pageText.telegramBots
  const toggle = (checked: boolean) => {
    setOwn(checked)
    if (!checked) form.setFieldValue('api_root', '' as never)
  }
  return (
    <>
      <Switch
        label={ownServer}
        description={ownServerAbout}
        checked={isOwn}
        onChange={event => toggle(event.currentTarget.checked)}
      />
      {isOwn && (
        <TextInput
          label={apiRoot}
          description={apiRootAbout}
          type="url"
          dir="ltr"
          maw={520}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('api_root')}
        />
      )}
    </>
  )
}
