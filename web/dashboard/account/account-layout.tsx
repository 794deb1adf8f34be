import { ListedPages, type PageGroup } from '../core/listed-pages.tsx'
import { text } from '../core/text.ts'
import { accountPages } from './account-pages.ts'

const groups: PageGroup[] = [
  { id: 'you', paths: ['profile', 'notifications', 'inbox', 'appearance'] },
  { id: 'access', paths: ['security', 'sessions'] },
]

export default function AccountLayout() {
  return <ListedPages title={text.shell.account} base="/account" pages={accountPages} groups={groups} />
}
