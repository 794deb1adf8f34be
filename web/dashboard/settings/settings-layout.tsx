import { accountPages } from '../account/account-pages.ts'
import { ListedPages } from '../core/listed-pages.tsx'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { settingsGroups } from './page-groups.ts'
import { useVisiblePages } from './visible-pages.ts'

export default function SettingsLayout() {
  const { id, role } = useProject()
  const pages = useVisiblePages(id, role)
  return (
    <ListedPages
      title={text.shell.settings}
      base={`/p/${id}/settings`}
      pages={pages}
      groups={settingsGroups}
      others={[{ name: text.shell.account, base: '/account', pages: accountPages }]}
    />
  )
}
