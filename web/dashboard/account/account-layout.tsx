import { ListedPages } from '../core/listed-pages.tsx'
import { text } from '../core/text.ts'
import { accountPages } from './account-pages.ts'

export default function AccountLayout() {
  return <ListedPages title={text.shell.account} base="/account" pages={accountPages} />
}
