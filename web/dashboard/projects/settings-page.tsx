import { useQuery } from '@tanstack/react-query'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { FirstStepsSetting } from './first-steps-setting.tsx'
import { LogoSettings } from './logo-settings.tsx'
import { useProject } from './project.ts'
import { settingsQuery } from './settings.ts'
import { SettingsForm } from './settings-form.tsx'
import { UndoSettings } from './undo-settings.tsx'

export default function SettingsPage() {
  const { id } = useProject()
  const { data: settings } = useQuery(settingsQuery(id))
  return (
    <Page title={pageText.project.title} about={pageText.project.about}>
      {settings ? (
        <>
          <SettingsForm settings={settings} />
          <UndoSettings />
          <LogoSettings settings={settings} />
          <FirstStepsSetting settings={settings} />
        </>
      ) : (
        <Loading />
      )}
    </Page>
  )
}
