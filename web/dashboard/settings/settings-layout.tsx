import { ListedPages } from '../core/listed-pages.tsx'
import { text } from '../core/text.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { settingsPages } from './pages.ts'

export default function SettingsLayout() {
  const { id, role } = useProject()
  const pages = settingsPages.filter(({ may = 'operator' }) => mayDo(role, may))
  return <ListedPages title={text.shell.settings} base={`/p/${id}/settings`} pages={pages} />
}
