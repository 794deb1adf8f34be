import { Anchor, PasswordInput, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { CopyField } from '../core/copy-field.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { redirectUriQuery } from './queries.ts'
import type { SignInValues } from './sign-in-values.ts'

interface Props<V extends SignInValues> {
  form: UseFormReturnType<V>
  secretAbout?: string | undefined
}

const guides = {
  google: '/docs/email#gmail-and-google-workspace',
  microsoft: '/docs/email#microsoft-365',
  custom: '/docs/email#another-provider-with-oauth-2',
}

/** The provider, and the app that is registered there for Deskbell. */
export function SignInFields<V extends SignInValues>({ form, secretAbout }: Props<V>) {
  const { data: redirectUri = '' } = useQuery(redirectUriQuery(useProject().id))
  const words = pageText.mailboxes
  const { provider } = form.getValues().imap.oauth
  return (
    <>
      <Select
        label={words.provider}
        allowDeselect={false}
        maw={420}
        data={Object.entries(words.signInProviders).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('imap.oauth.provider')}
      />
      <Anchor href={guides[provider]} target="_blank">
        {words.appGuide}
      </Anchor>
      <CopyField label={words.redirectUri} description={words.redirectUriAbout} value={redirectUri} />
      <AppFields form={form} secretAbout={secretAbout} />
    </>
  )
}

function AppFields<V extends SignInValues>({ form, secretAbout }: Props<V>) {
  const words = pageText.mailboxes
  const { provider } = form.getValues().imap.oauth
  const field = (name: string) => ({
    ...{ dir: 'ltr' as const, maw: 420, autoComplete: 'off', spellCheck: false },
    ...form.getInputProps(`imap.oauth.${name}`),
  })
  return (
    <>
      <TextInput label={words.clientId} {...field('client_id')} />
      <PasswordInput
        label={words.clientSecret}
        description={secretAbout}
        {...field('client_secret')}
        autoComplete="new-password"
      />
      {provider === 'microsoft' && (
        <TextInput label={words.tenant} description={words.tenantAbout} {...field('tenant')} />
      )}
      {provider === 'custom' && (
        <>
          <TextInput label={words.authorizeUrl} {...field('authorize_url')} />
          <TextInput label={words.tokenUrl} {...field('token_url')} />
          <TextInput label={words.scope} description={words.scopeAbout} {...field('scope')} />
        </>
      )}
    </>
  )
}
