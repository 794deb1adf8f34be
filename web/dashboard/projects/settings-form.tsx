import { NumberInput, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { defaultColor } from '../../../src/core/text/color.ts'
import { api, take } from '../core/api.ts'
import { ColorField } from '../core/color-field.tsx'
import { Conflict } from '../core/conflict.tsx'
import { Form, useSending } from '../core/form.tsx'
import { listLanguages } from '../core/language-names.ts'
import { LanguageSelect } from '../core/language-select.tsx'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { showSaved } from '../core/query.ts'
import { text } from '../core/text.ts'
import { TimezoneField } from '../core/timezone-field.tsx'
import { meQuery } from '../users/me.ts'
import { useProject } from './project.ts'
import {
  type Settings,
  type SettingsValues,
  settingsBodyOf,
  settingsQuery,
  settingsValuesOf,
} from './settings.ts'

/** Sends the version with which the form was loaded, so that nobody's change is overwritten unseen. */
function useSettingsSending(settings: Settings) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const version = useRef(settings.version)
  const sending = useSending<SettingsValues, Settings>({
    initialValues: settingsValuesOf(settings),
    validate: { name: value => (value.trim() ? null : pageText.project.nameNeeded) },
    send: values =>
      take(
        api.PATCH('/projects/{project_id}/settings', {
          params: { path: { project_id } },
          headers: { 'if-match': `"${version.current}"` },
          body: settingsBodyOf(values),
        }),
      ),
    onDone: saved => {
      version.current = saved.version
      void showSaved(client, settingsQuery(project_id).queryKey, saved)
      void client.invalidateQueries({ queryKey: meQuery.queryKey })
      showNotice(text.shell.saved)
    },
  })
  return { sending, version }
}

const labels = (): Record<keyof SettingsValues, string> => ({
  name: pageText.project.name,
  color: pageText.project.color,
  reopen_days: pageText.project.reopenDays,
  auto_close_days: pageText.project.autoCloseDays,
  has_help_centre: pageText.project.hasHelpCentre,
  slug: pageText.project.slug,
  default_locale: pageText.project.locale,
  timezone: pageText.project.timezone,
})

export function SettingsForm({ settings }: { settings: Settings }) {
  const { sending, version } = useSettingsSending(settings)
  const { form } = sending
  return (
    <Section>
      <Form sending={sending} action={text.shell.save}>
        <Conflict
          failure={sending.failure}
          mine={form.getValues()}
          labels={labels()}
          read={settingsValuesOf as (current: never) => SettingsValues}
          onKeep={(current: Settings) => {
            version.current = current.version
            sending.submit()
          }}
          onTake={(theirs, current: Settings) => {
            version.current = current.version
            form.setValues(theirs)
            sending.forget()
          }}
        />
        <Look form={form} />
        <Rules form={form} />
        <HelpCentre form={form} />
      </Form>
    </Section>
  )
}

interface Fields {
  form: UseFormReturnType<SettingsValues>
}

function Look({ form }: Fields) {
  return (
    <>
      <TextInput label={pageText.project.name} maw={420} {...form.getInputProps('name')} />
      <ColorField
        label={pageText.project.color}
        description={pageText.project.colorAbout}
        usual={defaultColor}
        {...form.getInputProps('color')}
      />
    </>
  )
}

function Rules({ form }: Fields) {
  return (
    <>
      <NumberInput
        label={pageText.project.reopenDays}
        description={pageText.project.reopenDaysAbout}
        min={0}
        max={3650}
        maw={420}
        {...form.getInputProps('reopen_days')}
      />
      <NumberInput
        label={pageText.project.autoCloseDays}
        description={pageText.project.autoCloseDaysAbout}
        min={1}
        max={3650}
        maw={420}
        {...form.getInputProps('auto_close_days')}
      />
      <TimezoneField
        label={pageText.project.timezone}
        description={pageText.project.timezoneAbout}
        current={form.getValues().timezone}
        {...form.getInputProps('timezone')}
      />
    </>
  )
}

function HelpCentre({ form }: Fields) {
  const { default_locale } = form.getInitialValues()
  const languages = useMemo(() => listLanguages(default_locale), [default_locale])
  return (
    <>
      <Switch
        label={pageText.project.hasHelpCentre}
        {...form.getInputProps('has_help_centre', { type: 'checkbox' })}
      />
      <TextInput
        label={pageText.project.slug}
        description={pageText.project.slugAbout(`${location.origin}/help/${form.getValues().slug}`)}
        maw={420}
        dir="ltr"
        {...form.getInputProps('slug')}
      />
      <LanguageSelect
        label={pageText.project.locale}
        languages={languages}
        allowDeselect={false}
        maw={420}
        {...form.getInputProps('default_locale')}
      />
    </>
  )
}
