import { Button, FileButton, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { asForm } from '../core/form-data.ts'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
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
    client.setQueryData(settingsQuery(project_id).queryKey, saved)
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
        <FileButton
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          onChange={file => file && set.mutate(file)}
          inputProps={{ 'aria-label': pageText.project.chooseLogo }}
        >
          {props => (
            <Button variant="default" loading={set.isPending} {...props}>
              {pageText.project.chooseLogo}
            </Button>
          )}
        </FileButton>
        {settings.logo_url && (
          <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {pageText.project.removeLogo}
          </Button>
        )}
      </Group>
    </Section>
  )
}
