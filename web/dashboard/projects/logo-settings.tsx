import { Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { asForm } from '../core/form-data.ts'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { PictureButtons } from '../core/picture-buttons.tsx'
import { showSaved, useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import { meQuery } from '../users/me.ts'
import { useProject } from './project.ts'
import { type Settings, settingsQuery } from './settings.ts'

/** An image is uploaded as soon as it is chosen. */
export function LogoSettings({ settings }: { settings: Settings }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const params = { path: { project_id } }
  const onDone = (saved: Settings) => {
    void showSaved(client, settingsQuery(project_id).queryKey, saved)
    showNotice(text.shell.saved)
  }
  const refresh = [meQuery.queryKey]
  const set = useChange({
    send: (file: File) =>
      take(
        api.POST('/projects/{project_id}/settings/logo', { params, body: { file }, bodySerializer: asForm }),
      ),
    refresh,
    onDone,
  })
  const remove = useChange({
    send: () => take(api.DELETE('/projects/{project_id}/settings/logo', { params })),
    refresh,
    onDone,
  })
  return (
    <Section title={pageText.project.logo} about={pageText.project.logoAbout}>
      <Group>
        {settings.logo_url && <img src={settings.logo_url} alt={pageText.project.logo} height={48} />}
        <PictureButtons
          words={{ choose: pageText.project.chooseLogo, remove: pageText.project.removeLogo }}
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          onChoose={set.mutate}
          isChoosing={set.isPending}
          onRemove={settings.logo_url ? remove.mutate : undefined}
          isRemoving={remove.isPending}
        />
      </Group>
    </Section>
  )
}
