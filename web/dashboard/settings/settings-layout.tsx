import { useQuery } from '@tanstack/react-query'
import { offerQuery } from '../billing/queries.ts'
import { ListedPages } from '../core/listed-pages.tsx'
import { text } from '../core/text.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { settingsPages } from './pages.ts'

export default function SettingsLayout() {
  const { id, role } = useProject()
  const isOwner = mayDo(role, 'owner')
  const { data: offer } = useQuery({ ...offerQuery(id), enabled: isOwner })
  const pages = settingsPages
    .filter(({ minRole = 'operator' }) => mayDo(role, minRole))
    .filter(({ path }) => path !== 'billing' || offer?.is_sold)
  return <ListedPages title={text.shell.settings} base={`/p/${id}/settings`} pages={pages} />
}
